#!/bin/sh
# From messages to a context with curl: store, dissolve, wait, fetch. Needs a running service: `dissolve api`.
# DISSOLVE_URL and DISSOLVE_API_KEY name another service than the one on this machine.
set -eu
url="${DISSOLVE_URL:-http://127.0.0.1:8700}"
here="$(dirname "$0")"

ask() { # METHOD PATH [more of curl's options]: prints the body; a refusal prints its problem document and ends this
  method="$1" path="$2"
  shift 2
  curl --silent --show-error --fail-with-body --max-time 30 --request "$method" "$url$path" \
    ${DISSOLVE_API_KEY:+--header "Authorization: Bearer $DISSOLVE_API_KEY"} "$@"
}

# A key a request: sent again after a broken connection, it does nothing twice.
key() { od -An -N16 -tx1 /dev/urandom | tr -d ' \n'; }

# One value of a JSON document without jq: the first "name":"value".
value() { sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p" | head -n 1; }

echo "== store the conversation"
{ printf '{"name": "curl-example", "messages": '; cat "$here/../launch.json"; printf '}'; } |
  ask POST /v1/conversations --header 'Content-Type: application/json' --header "Idempotency-Key: $(key)" --data @-

echo; echo "== dissolve it"
job="$(ask POST /v1/dissolutions --header 'Content-Type: application/json' --header "Idempotency-Key: $(key)" \
  --data '{"conversation": "curl-example"}' | value id)"
echo "$job"

echo "== wait: the stream of events ends with the dissolution"
ask GET "/v1/dissolutions/$job/events" --header 'Accept: text/event-stream' --no-buffer --max-time 600 |
  sed -n 's/^event: //p'
status="$(ask GET "/v1/dissolutions/$job" | sed 's/"stages".*//' | value status)"
echo "$status"
[ "$status" = committed ] # otherwise the history stays in force: go on sending it

echo "== what to send in place of the history, within 1500 tokens"
ask GET '/v1/conversations/curl-example/context?budget=1500&recent=2&format=text'
