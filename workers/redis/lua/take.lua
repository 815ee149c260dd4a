-- KEYS: model, account. ARGV: id, tokens, within, hold, capacity and rate of requests, of tokens (rate 0: not limited),
-- held id ('' for none), held tokens, model, account, rpm, tpm ('' for not limited).
-- Returns {'denied', why, wait} or {'permitted', wait, trial (0 or 1)}.
local model, account = KEYS[1], KEYS[2]
local id, tokens, within, hold = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local rcap, rrate, tcap, trate = tonumber(ARGV[5]), tonumber(ARGV[6]), tonumber(ARGV[7]), tonumber(ARGV[8])
local held, held_tokens = ARGV[9], tonumber(ARGV[10])
redis.call('HSET', model, 'model', ARGV[11], 'account', ARGV[12], 'rpm', ARGV[13], 'tpm', ARGV[14])

local function denied(why, wait)
  if held ~= '' then
    refund(model, 'requests_full_at', 1, rrate)
    refund(model, 'tokens_full_at', held_tokens, trate)
  end
  keep(model)
  return {'denied', why, string.format('%.6f', wait)}
end

local refused_until = number(account, 'until')
if refused_until > now then
  return denied(redis.call('HGET', account, 'why'), refused_until - now)
end
local openings = number(model, 'openings')
local trial = 0
if openings > 0 then
  trial = 1
  local open_until, trial_until = number(model, 'open_until'), number(model, 'trial_until')
  local tried_by = redis.call('HGET', model, 'trial') or ''
  if open_until > now then
    return denied('circuit', open_until - now)
  end
  if tried_by ~= '' and tried_by ~= held and trial_until > now then
    return denied('circuit', trial_until - now)
  end
end
local blocked_until = number(model, 'blocked_until')
if held ~= '' and blocked_until <= now then
  keep(model)
  return {'permitted', '0', trial}
end
if held ~= '' then
  refund(model, 'requests_full_at', 1, rrate)
  refund(model, 'tokens_full_at', held_tokens, trate)
  held = ''
end
local start = math.max(now, blocked_until)
local requests_full_at, tokens_full_at = number(model, 'requests_full_at'), number(model, 'tokens_full_at')
if rrate > 0 then
  start = math.max(start, earliest(rcap, rrate, requests_full_at, 1))
end
if trate > 0 then
  start = math.max(start, earliest(tcap, trate, tokens_full_at, tokens))
end
if start - now > within then
  return denied('rate_limit', start - now)
end
if rrate > 0 then
  set(model, 'requests_full_at', math.max(requests_full_at, start) + 1 / rrate)
end
if trate > 0 then
  set(model, 'tokens_full_at', math.max(tokens_full_at, start) + tokens / trate)
end
if trial == 1 then
  redis.call('HSET', model, 'trial', id)
  set(model, 'trial_until', start + hold)
end
keep(model)
return {'permitted', string.format('%.6f', start - now), trial}
