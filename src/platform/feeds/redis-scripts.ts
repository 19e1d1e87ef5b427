// The scripts that Valkey runs on feeds (redis.ts). A feed is one string: its floor, a zero, then its entries
// (feed.ts), all as 64-bit little-endian numbers, as this process has them in memory. No string means that the feed is
// missing. A second key says who is filling the feed. Lua's numbers have 53 bits, so ids are passed and compared as two
// halves. Many feeds are passed as one string, because a thousand arguments cost more than the work on them.

import { FEED_LENGTH } from "./index.ts";

/**
 * Entries above which a feed is cut to its length. Moving 13 KB costs as much as pushing twenty posts, and Valkey
 * reserves twice the size of a string that grows.
 */
const CAPACITY = FEED_LENGTH + 128;

/** Bytes of the last sixteen entries and half an entry; a shorter string is the whole feed. */
const TAIL = 16 * 16 + 8;

/**
 * `place` finds where entries from an id on begin. `push` inserts ascending entries, each once; they nearly always
 * belong at the end or a little before it, so only the tail is read. `together` returns the entries as one string.
 */
const PLACES = `
local function isBefore(one, other)
  local low, high = struct.unpack('<I4I4', one)
  local otherLow, otherHigh = struct.unpack('<I4I4', other)
  return high < otherHigh or (high == otherHigh and low < otherLow)
end
local function place(key, size, entry)
  local from, to = 1, size / 16
  while from < to do
    local middle = math.floor((from + to) / 2)
    if isBefore(redis.call('GETRANGE', key, 16 * middle, 16 * middle + 7), entry) then from = middle + 1
    else to = middle end
  end
  return 16 * from
end
local function push(key, entries, together)
  local tail = redis.call('GETRANGE', key, -${TAIL}, -1)
  if tail == '' then return end
  local first, at, size = #tail < ${TAIL} and 17 or 9, #tail + 1
  while at > first and not isBefore(tail:sub(at - 16, at - 9), entries[1]) do at = at - 16 end
  if at > #tail then size = redis.call('APPEND', key, together)
  else
    local later, n, merged = tail:sub(at), 1, {}
    local from = redis.call('STRLEN', key) - #later
    if at == first and first == 9 then
      from = place(key, from + #later, entries[1])
      later = redis.call('GETRANGE', key, from, -1)
    end
    for _, entry in ipairs(entries) do
      while n < #later and isBefore(later:sub(n, n + 7), entry) do
        merged[#merged + 1] = later:sub(n, n + 15)
        n = n + 16
      end
      if later:sub(n, n + 7) ~= entry:sub(1, 8) then merged[#merged + 1] = entry end
    end
    size = redis.call('SETRANGE', key, from, table.concat(merged) .. later:sub(n))
  end
  if size < 16 * ${CAPACITY} then return end
  local kept = redis.call('GETRANGE', key, 0, 15) .. redis.call('GETRANGE', key, -16 * ${FEED_LENGTH}, -1)
  redis.call('SET', key, kept, 'KEEPTTL')
end`;

/**
 * KEYS: the common prefix of the feeds' names, all in its slot. ARGV: groups of feeds ("1.3=key,key;2=key", where
 * numbers are positions of entries below), and four strings for each entry, in ascending order: the halves of its two
 * numbers, lower half first.
 */
const forMany = (change: string): string => `
local all = {}
for n = 2, #ARGV, 4 do
  all[#all + 1] = struct.pack('<I4I4I4I4', ARGV[n], ARGV[n + 1], ARGV[n + 2], ARGV[n + 3])
end
for places, names in ARGV[1]:gmatch('([^=;]+)=([^;]+)') do
  local entries = {}
  for n in places:gmatch('%d+') do
    local entry = all[tonumber(n)]
    if entry ~= entries[#entries] then entries[#entries + 1] = entry end
  end
  local together = table.concat(entries)
  for name in names:gmatch('[^,]+') do ${change}(KEYS[1] .. name, entries, together) end
end`;

export const PUSH = PLACES + forMany("push");

/** Removes entries, and cancels a filling in progress, which may have read what is removed here. */
export const REMOVE = `${PLACES}
local function remove(key, entries)
  local size = redis.call('STRLEN', key)
  if size == 0 then return end
  redis.call('DEL', key .. ':filler')
  for _, entry in ipairs(entries) do
    local at = place(key, size, entry)
    if at < size and redis.call('GETRANGE', key, at, at + 7) == entry:sub(1, 8) then
      local left = redis.call('GETRANGE', key, 0, at - 1) .. redis.call('GETRANGE', key, at + 16, -1)
      redis.call('SET', key, left, 'KEEPTTL')
      size = size - 16
    end
  end
end${forMany("remove")}`;

/**
 * KEYS: the feed, and who fills it. ARGV: a token, the milliseconds that the filling may take, and the milliseconds
 * that an empty feed lives. Returns the floor, or nothing where the feed is whole or somebody else fills it.
 */
export const OPEN = `
local floor = redis.call('GETRANGE', KEYS[1], 0, 7)
if floor == string.rep('\\0', 8) then return nil end
if not redis.call('SET', KEYS[2], ARGV[1], 'NX', 'PX', ARGV[2]) then return nil end
if floor == '' then
  floor = string.rep('\\255', 8)
  redis.call('SET', KEYS[1], floor .. string.rep('\\0', 8), 'PX', ARGV[3])
end
return floor`;

/**
 * KEYS: the feed, and who fills it. ARGV: the token, the content, and the milliseconds that the feed lives. Entries
 * that are there stay.
 */
export const FILL = `${PLACES}
if redis.call('GET', KEYS[2]) ~= ARGV[1] then return end
redis.call('DEL', KEYS[2])
if redis.call('EXISTS', KEYS[1]) == 0 then return end
local newer, entries = redis.call('GETRANGE', KEYS[1], 16, -1), {}
for at = 1, #newer, 16 do entries[#entries + 1] = newer:sub(at, at + 15) end
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
if #entries > 0 then push(KEYS[1], entries, newer) end`;
