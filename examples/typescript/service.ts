// The little that a TypeScript program needs of the service: fetch, an Idempotency-Key, and problem documents.

export const url: string = process.env.DISSOLVE_URL ?? "http://127.0.0.1:8700";
const key: string | undefined = process.env.DISSOLVE_API_KEY;

export type Message = { role: string; content: string };
export type Dissolution = { id: string; status: string; reason: string | null; ended_at: string | null };
export type Context = { source: string; boundary_version: number; tokens: number; messages: Message[] };
export type Happened = { number: number; kind: string; detail: string };

/** A problem document (RFC 9457): `code` is stable, `detail` says what happened and what to do. */
export class Problem extends Error {
  readonly status: number;
  readonly code: string;
  constructor(status: number, told: { code?: string; detail?: string }) {
    super(`${told.code ?? "unknown_reply"} (${status}): ${told.detail ?? "no problem document"}`);
    this.status = status;
    this.code = told.code ?? "unknown_reply";
  }
}

const AGAIN = new Set([429, 502, 503, 504]);
export const pause = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));

/** One request, tried again where that is harmless: the same body under the same Idempotency-Key is done once. */
export async function ask<T>(method: string, path: string, body?: unknown): Promise<T> {
  const headers: Record<string, string> = { Accept: "application/json" };
  if (key !== undefined) headers.Authorization = `Bearer ${key}`;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (method === "POST") headers["Idempotency-Key"] = crypto.randomUUID();
  for (let attempt = 1; ; attempt += 1) {
    const sent = { method, headers, body: body === undefined ? undefined : JSON.stringify(body) };
    const reply = await fetch(url + path, sent).catch((lost: unknown) => {
      if (attempt === 4) throw lost;
      return undefined;
    });
    if (reply?.ok) return (await reply.json()) as T;
    if (reply !== undefined && (attempt === 4 || !AGAIN.has(reply.status))) {
      throw new Problem(reply.status, await reply.json().catch(() => ({})));
    }
    await pause(1000 * Number(reply?.headers.get("retry-after") ?? 2 ** (attempt - 1)));
  }
}

/** What happens to a dissolution until it ends: server-sent events, resumed by number where a connection broke. */
export async function* events(id: string): AsyncGenerator<Happened> {
  let last = 0;
  for (;;) {
    const headers: Record<string, string> = { Accept: "text/event-stream", "Last-Event-ID": String(last) };
    if (key !== undefined) headers.Authorization = `Bearer ${key}`;
    const reply = await fetch(`${url}/v1/dissolutions/${id}/events`, { headers });
    if (reply.status === 204) return;
    if (!reply.ok || reply.body === null) throw new Problem(reply.status, await reply.json().catch(() => ({})));
    for await (const block of blocks(reply.body)) {
      if (/^event: (end|gone)$/m.test(block)) return;
      const number = Number(/^id: (\d+)$/m.exec(block)?.[1] ?? 0);
      if (number > 0) yield { ...JSON.parse(/^data: (.*)$/m.exec(block)?.[1] ?? "{}"), number };
      last = Math.max(last, number);
    }
  }
}

/** The blocks of a stream, parted by empty lines. */
async function* blocks(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let rest = "";
  const decoder = new TextDecoder();
  for await (const part of body) {
    const found = (rest + decoder.decode(part, { stream: true })).split("\n\n");
    rest = found.pop() ?? "";
    yield* found;
  }
}
