#!/bin/sh
# What a context left out stays one query away: search the ledger, see what was replaced, erase it all.
# Run it after context.sh, which stores and dissolves the conversation.
set -eu
url="${DISSOLVE_URL:-http://127.0.0.1:8700}"
at="$url/v1/conversations/curl-example"

ask() {
  curl --silent --show-error --fail-with-body --max-time 30 \
    ${DISSOLVE_API_KEY:+--header "Authorization: Bearer $DISSOLVE_API_KEY"} "$@"
}

echo "== claims about the import, with the words they rest on"
ask --get "$at/recall" --data-urlencode 'q=import night' --data limit=2

echo; echo "== what held at turn 13, as far as is known now"
ask --get "$at/boundary/as-of" --data turn=13

echo; echo "== secrets that were replaced before anything was stored: none here"
ask "$at/redactions"

echo; echo "== not read again while nothing has changed: 304"
etag="$(ask --head --request GET "$at" | tr -d '\r' | sed -n 's/^etag: //p')"
ask --output /dev/null --write-out '%{http_code}\n' --header "If-None-Match: $etag" "$at"

echo "== turns are only added to what the caller knows: 409 with a problem document"
ask --header 'Content-Type: application/json' \
  --data '{"expected_turns": 3, "turns": [{"role": "user", "content": "Late."}]}' "$at/turns" || true

echo; echo "== erase the conversation with all that came of it; the record of that is what is left"
ask --request DELETE "$at?reason=the%20example%20is%20over"
