-- KEYS: the tenant's seats, a sorted set of who has one by the instant it ends. ARGV: who, limit, hold.
-- Returns 1 when the seat is taken.
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', string.format('%.6f', now))
if not redis.call('ZSCORE', KEYS[1], ARGV[1]) and redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[2]) then
  return 0
end
redis.call('ZADD', KEYS[1], string.format('%.6f', now + tonumber(ARGV[3])), ARGV[1])
local last = redis.call('ZRANGE', KEYS[1], -1, -1, 'WITHSCORES')
redis.call('EXPIRE', KEYS[1], math.ceil(tonumber(last[2]) - now) + 1)
return 1
