-- What the other scripts begin with. Time is the server's, in seconds; instants that lie in the past mean "never mind".
-- A bucket is known by the instant at which it is full again, as in fleet/limit_rules.py.
local parts = redis.call('TIME')
local now = tonumber(parts[1]) + tonumber(parts[2]) / 1000000
local REST_S = 3600 -- keys that nobody used for an hour, and that promise nothing, go by themselves

local function number(key, name)
  return tonumber(redis.call('HGET', key, name) or '0') or 0
end

local function set(key, name, value)
  redis.call('HSET', key, name, string.format('%.6f', value))
end

local function keep(key)
  local last = now
  for _, name in ipairs({'requests_full_at', 'tokens_full_at', 'blocked_until', 'open_until', 'trial_until'}) do
    last = math.max(last, number(key, name))
  end
  redis.call('EXPIRE', key, math.ceil(last - now) + REST_S)
end

local function refund(key, name, units, per_s)
  if per_s > 0 and units ~= 0 then
    set(key, name, number(key, name) - units / per_s)
  end
end

local function earliest(capacity, per_s, full_at, units)
  return full_at - (capacity - math.min(units, capacity)) / per_s
end
