-- KEYS: model, account. ARGV: id, how it ended, requests and tokens to put back (negative: more was used), rates of
-- requests and of tokens, wait the provider asks for, failures that open a circuit, first and longest time it is open,
-- time an account is left alone.
local model, account = KEYS[1], KEYS[2]
local id, ended = ARGV[1], ARGV[2]
refund(model, 'requests_full_at', tonumber(ARGV[3]), tonumber(ARGV[5]))
refund(model, 'tokens_full_at', tonumber(ARGV[4]), tonumber(ARGV[6]))
if ended == 'rate_limited' then
  set(model, 'blocked_until', math.max(number(model, 'blocked_until'), now + tonumber(ARGV[7])))
elseif ended == 'auth' or ended == 'billing' then
  redis.call('HSET', account, 'why', ended)
  set(account, 'until', now + tonumber(ARGV[11]))
  redis.call('EXPIRE', account, math.ceil(tonumber(ARGV[11])))
end
local trying = (redis.call('HGET', model, 'trial') or '') == id
if trying then
  redis.call('HDEL', model, 'trial', 'trial_until')
end
if ended == 'broken' then
  local failures = redis.call('HINCRBY', model, 'failures', 1)
  local openings = number(model, 'openings')
  if trying or (openings == 0 and failures >= tonumber(ARGV[8])) then
    set(model, 'open_until', now + math.min(tonumber(ARGV[9]) * 2 ^ math.min(openings, 30), tonumber(ARGV[10])))
    redis.call('HSET', model, 'openings', openings + 1)
  end
elseif ended ~= 'untold' and ended ~= 'unsent' then
  redis.call('HDEL', model, 'failures', 'openings', 'open_until')
end
keep(model)
return 1
