// From messages to a context in TypeScript, without a package: Node 22.18 or newer runs it as it stands.
// Needs a running service: `dissolve api`. DISSOLVE_URL and DISSOLVE_API_KEY name another one.

import { readFile } from "node:fs/promises";
import { ask, events, pause, Problem } from "./service.ts";
import type { Context, Dissolution, Message } from "./service.ts";

const name = "typescript-example";
const messages: Message[] = JSON.parse(await readFile(new URL("../launch.json", import.meta.url), "utf8"));

await ask("POST", "/v1/conversations", { name, messages: messages.slice(0, -1) });
const grown = await ask<{ turns: number }>("POST", `/v1/conversations/${name}/turns`, {
  messages: messages.slice(-1),
  expected_turns: messages.length - 1,
});
console.log(`${grown.turns} turns are stored`);

let job = await ask<Dissolution>("POST", "/v1/dissolutions", { conversation: name });
for await (const event of events(job.id)) console.log(event.number, event.kind, event.detail);

// The same without a stream: look until it has ended.
while (job.ended_at === null) {
  await pause(500);
  job = await ask<Dissolution>("GET", `/v1/dissolutions/${job.id}`);
}
console.log(job.status, job.reason ?? "");
if (job.status !== "committed") process.exit(1); // the history stays in force: go on sending it

const context = await ask<Context>("GET", `/v1/conversations/${name}/context?budget=1500&recent=2`);
console.log(`${context.tokens} tokens of version ${context.boundary_version} stand for ${messages.length} messages`);
console.log(JSON.stringify(context.messages, null, 2));

try {
  await ask("POST", "/v1/conversations", { name, messages });
} catch (refused) {
  if (!(refused instanceof Problem)) throw refused;
  console.log(refused.code); // conversation_exists
}
await ask("DELETE", `/v1/conversations/${name}?reason=the%20example%20is%20over`);
