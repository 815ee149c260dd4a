-- KEYS: one of a model, an account, or a tenant's seats. Returns {now, fields…} or {now, seats taken}.
if redis.call('TYPE', KEYS[1]).ok == 'zset' then
  local from = '(' .. string.format('%.6f', now)
  return {string.format('%.6f', now), redis.call('ZCOUNT', KEYS[1], from, '+inf')}
end
return {string.format('%.6f', now), redis.call('HGETALL', KEYS[1])}
