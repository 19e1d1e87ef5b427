// The scripts that Valkey runs on feeds (redis.ts): what happens most often, without moving the feed. A feed is a
// hash: `s` its state ("e" empty, "w" whole, "p" and the floor), `b` its boosts with what they boost, `l` the newest of
// them, `v` counts changes, `f` who fills it and until when, `g` what was removed meanwhile; and beside it, with ":i" after
// its name, the text of its ids, so that one is added without touching the others: after a zero, without which the feed is
// missing. All are 64-bit big-endian numbers in rising order. Lua's numbers have 53 bits, and it compares texts by the
// locale: so ids are compared, and given, as two halves. Many feeds are given as one text: as arguments of their own a
// thousand cost more than what is done with them.

import { FEED_LENGTH, REPEAT_SPAN } from "./index.ts";
import { CAPACITY, MAX_BOOSTS } from "./sorted.ts";

/** Answers of `push`; about those that show it and those that are missing nothing is said. */
export const [LEFT_OUT, TO_ARRANGE] = [1, 2];

/** Workers that work side by side cross each other by so few posts; for more, all of the feed is read. */
const LATE = 100;

/**
 * ARGV: what the names begin with; groups of feeds ("1.3=name,name;2=name": what goes into them by its place below, in
 * rising order); and four texts for each id, in rising order: its halves and those of what it boosts, or ''. Posts (no
 * boosts) that are newer than every boost are added, or merged with the end of the feed; after anything else it is
 * decided again which boosts are left out, from the first id on (as in feed.ts). While a feed is filled it is left to the
 * caller (TO_ARRANGE). Answers with the places (from 1) of a feed and an id, and answers.
 */
export const PUSH = `
local function parse(id, of)
  local high, low = struct.unpack('>I4I4', id)
  return { id = id, high = high, low = low, of = of }
end
local posts = {}
for n = 3, #ARGV, 4 do
  local of = ARGV[n + 2] ~= '' and struct.pack('>I4I4', ARGV[n + 2], ARGV[n + 3]) or nil
  posts[#posts + 1] = parse(struct.pack('>I4I4', ARGV[n], ARGV[n + 1]), of)
end
local function isBefore(other, post)
  local h, l = struct.unpack('>I4I4', other)
  return h < post.high or (h == post.high and l < post.low)
end
local function inOrder(a, b) return a.high < b.high or (a.high == b.high and a.low < b.low) end
-- Where ids from this post on begin; nothing where all of these do.
local function place(ids, post)
  for at = #ids, 8, -8 do
    if isBefore(ids:sub(at - 7, at), post) then return at end
  end
end
-- Two rising lists in one, each id once.
local function merge(ids, wanted)
  local merged, at = {}, 1
  for _, post in ipairs(wanted) do
    while at <= #ids and isBefore(ids:sub(at, at + 7), post) do
      merged[#merged + 1] = ids:sub(at, at + 7)
      at = at + 8
    end
    if ids:sub(at, at + 7) ~= post.id then merged[#merged + 1] = post.id end
  end
  return table.concat(merged) .. ids:sub(at)
end
local function cut(key, size)
  if size < 8 * ${CAPACITY} then return end
  redis.call('SET', key .. ':i', redis.call('GETRANGE', key .. ':i', -8 * ${FEED_LENGTH}, -1), 'KEEPTTL')
  redis.call('HINCRBY', key, 'v', 1)
end
-- Posts (no boosts) of which the first is not newer than everything in the feed; false: it comes too late.
local function insert(key, wanted)
  local late = redis.call('GETRANGE', key .. ':i', -8 * ${LATE}, -1)
  local at = place(late, wanted[1])
  if not at then return false end
  local before = late:sub(at + 1)
  local merged = merge(before, wanted)
  if #merged == #before then return true end
  local size = redis.call('STRLEN', key .. ':i')
  cut(key, redis.call('SETRANGE', key .. ':i', size - #before, merged))
  redis.call('HINCRBY', key, 'v', 1)
  return true
end
-- Posts (no boosts) that are all newer than every boost: what happens most. With their ids in one text.
local function pushPlain(key, wanted, ids)
  local feed = redis.call('HMGET', key, 's', 'f', 'l')
  local last = redis.call('GETRANGE', key .. ':i', -8, -1)
  if not feed[1] or last == '' then return true end
  if feed[2] or (feed[3] and not isBefore(feed[3], wanted[1])) then return false end
  if not isBefore(last, wanted[1]) then return insert(key, wanted) end
  cut(key, redis.call('APPEND', key .. ':i', ids))
  return true
end
-- The newest boosts with one more, in rising order.
local function withBoost(boosts, post)
  local at = #boosts
  while at > 0 and not isBefore(boosts:sub(at - 15, at - 8), post) do at = at - 16 end
  local later = boosts:sub(at + 1)
  if later:sub(1, 8) == post.id then later = later:sub(17)
  elseif #boosts == 16 * ${MAX_BOOSTS} then
    if at == 0 then return boosts end
    return boosts:sub(17, at) .. post.id .. post.of .. later
  end
  return boosts:sub(1, at) .. post.id .. post.of .. later
end
-- Answers with what is left out, by id, or true: the feed is being filled.
local function arrange(key, wanted)
  local feed = redis.call('HMGET', key, 's', 'f', 'b')
  local size = redis.call('STRLEN', key .. ':i')
  if not feed[1] or size == 0 then return {} end
  if feed[2] then return true end
  -- The end of the feed is enough, unless they come very late.
  local ids = redis.call('GETRANGE', key .. ':i', -8 * ${LATE + REPEAT_SPAN}, -1)
  local from = place(ids, wanted[1]) or 0
  if from < 8 * ${REPEAT_SPAN} and #ids < size then
    ids = redis.call('GET', key .. ':i')
    from = place(ids, wanted[1]) or 0
  end
  local boosts, all = feed[3] or '', {}
  for _, post in ipairs(wanted) do
    if post.of then boosts = withBoost(boosts, post) else all[#all + 1] = post end
  end
  local oldest = math.max(0, from - 8 * ${REPEAT_SPAN})
  local first = from > 0 and parse(ids:sub(oldest + 1, oldest + 8)) or wanted[1]
  local originals = {}
  for at = #boosts - 15, 1, -16 do
    local boost = parse(boosts:sub(at, at + 7), boosts:sub(at + 8, at + 15))
    if inOrder(boost, first) then break end
    originals[boost.id] = boost.of
    if not inOrder(boost, wanted[1]) then all[#all + 1] = boost end
  end
  for at = from + 1, #ids, 8 do
    local id = ids:sub(at, at + 7)
    if not originals[id] then all[#all + 1] = parse(id) end
  end
  table.sort(all, inOrder)
  -- Where a post was shown last, by itself or as a boost.
  local last, count = {}, 0
  local function show(id, of)
    count = count + 1
    last[id] = count
    if of then last[of] = count end
  end
  for at = oldest + 1, from, 8 do
    local id = ids:sub(at, at + 7)
    show(id, originals[id])
  end
  local shown, places = {}, {}
  for n, post in ipairs(all) do
    local isRepeat = post.of and last[post.of] and last[post.of] > count - ${REPEAT_SPAN}
    if not isRepeat and (n == 1 or all[n - 1].id ~= post.id) then
      show(post.id, post.of)
      shown[#shown + 1] = post.id
      places[post.id] = count
    end
  end
  local start, text = size - #ids + from, table.concat(shown)
  if start + #text < size then
    local kept = start == 0 and '' or redis.call('GETRANGE', key .. ':i', 0, start - 1)
    redis.call('SET', key .. ':i', kept .. text, 'KEEPTTL')
  else
    redis.call('SETRANGE', key .. ':i', start, text)
  end
  if boosts ~= '' then redis.call('HSET', key, 'b', boosts, 'l', boosts:sub(-16, -9)) end
  redis.call('HINCRBY', key, 'v', 1)
  cut(key, start + #text)
  local leftOut = {}
  for _, post in ipairs(wanted) do
    local at = places[post.id]
    leftOut[post.id] = not at or count - at >= ${FEED_LENGTH}
  end
  return leftOut
end
local answers, n = {}, 0
for places, names in ARGV[2]:gmatch('([^=;]+)=([^;]+)') do
  local numbers, wanted, ids, isPlain = {}, {}, {}, true
  for number in places:gmatch('%d+') do
    numbers[#numbers + 1] = tonumber(number)
    local post = posts[tonumber(number)]
    if ids[#ids] ~= post.id then
      ids[#ids + 1] = post.id
      wanted[#wanted + 1] = post
    end
    if post.of then isPlain = false end
  end
  local joined = table.concat(ids)
  for name in names:gmatch('[^,]+') do
    n = n + 1
    local key = ARGV[1] .. name
    if not (isPlain and pushPlain(key, wanted, joined)) then
      local leftOut = arrange(key, wanted)
      for _, number in ipairs(numbers) do
        if leftOut == true or leftOut[posts[number].id] then
          answers[#answers + 1] = n
          answers[#answers + 1] = number
          answers[#answers + 1] = leftOut == true and ${TO_ARRANGE} or ${LEFT_OUT}
        end
      end
    end
  end
end
return answers`;

/**
 * ARGV: what the names begin with, groups of feeds as for PUSH, and ids by their halves. Answers with the places (from 1)
 * of the feeds that have one of theirs, or are being filled.
 */
export const HOLDS = `
local function has(packed, id, width)
  local at = 1
  while true do
    at = packed:find(id, at, true)
    if not at then return false end
    if (at - 1) % width == 0 then return true end
    at = at + 1
  end
end
local ids = {}
for n = 3, #ARGV, 2 do ids[#ids + 1] = struct.pack('>I4I4', ARGV[n], ARGV[n + 1]) end
local function holds(key, wanted)
  local feed = redis.call('HMGET', key, 's', 'b', 'f')
  if feed[3] then return true end
  if not feed[1] then return false end
  local packed = redis.call('GET', key .. ':i') or ''
  for _, id in ipairs(wanted) do
    if has(packed, id, 8) or has(feed[2] or '', id, 16) then return true end
  end
  return false
end
local answers, n = {}, 0
for places, names in ARGV[2]:gmatch('([^=;]+)=([^;]+)') do
  local wanted = {}
  for number in places:gmatch('%d+') do wanted[#wanted + 1] = ids[tonumber(number)] end
  for name in names:gmatch('[^,]+') do
    n = n + 1
    if holds(ARGV[1] .. name, wanted) then answers[#answers + 1] = n end
  end
end
return answers`;

/** ARGV: what the names begin with, the feeds, with commas. The places (from 1) of those that have nothing to show yet. */
export const ARE_MISSING = `
local answers, n = {}, 0
for name in ARGV[2]:gmatch('[^,]+') do
  n = n + 1
  local state = redis.call('HGET', ARGV[1] .. name, 's')
  if not state or state == 'e' or redis.call('EXISTS', ARGV[1] .. name .. ':i') == 0 then
    answers[#answers + 1] = n
  end
end
return answers`;

/** The fields v s i b f g; nothing where it is missing. */
export const LOAD = `
local feed = redis.call('HMGET', KEYS[1], 'v', 's', 'b', 'f', 'g')
local ids = redis.call('GET', KEYS[1] .. ':i')
if not feed[2] or not ids then return {} end
return {feed[1], feed[2], ids, feed[3], feed[4], feed[5]}`;

/** ARGV: how many. The state, and so many of the newest ids. */
export const NEWEST = `
local state = redis.call('HGET', KEYS[1], 's')
if not state or redis.call('EXISTS', KEYS[1] .. ':i') == 0 then return {} end
return {state, ARGV[1] == '0' and '' or redis.call('GETRANGE', KEYS[1] .. ':i', -8 * ARGV[1], -1)}`;

/**
 * ARGV: the filler's token, the milliseconds that it has, and that a feed lives which nobody fills. 1: it is the
 * filler now. One that died has had its time.
 */
export const OPEN = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if redis.call('EXISTS', KEYS[1] .. ':i') == 0 then redis.call('DEL', KEYS[1]) end
local feed = redis.call('HMGET', KEYS[1], 's', 'f')
if feed[1] == 'w' then return 0 end
if feed[2] and tonumber(feed[2]:match('%d+$')) > now then return 0 end
redis.call('HSET', KEYS[1], 'f', ARGV[1] .. ':' .. string.format('%.0f', now + ARGV[2]), 'g', '')
redis.call('HINCRBY', KEYS[1], 'v', 1)
if not feed[1] then
  redis.call('HSET', KEYS[1], 's', 'e', 'b', '')
  redis.call('PEXPIRE', KEYS[1], ARGV[3])
  redis.call('SET', KEYS[1] .. ':i', string.rep('\\0', 8), 'PX', ARGV[3])
end
return 1`;

/**
 * ARGV: the version that was read and the bytes of its ids, then s i b f g ('' as f: nobody fills it) and the milliseconds
 * that it lives from now on (0: as before). 0: it was changed or dropped meanwhile.
 */
export const SAVE = `
if redis.call('HGET', KEYS[1], 'v') ~= ARGV[1] then return 0 end
if redis.call('STRLEN', KEYS[1] .. ':i') ~= tonumber(ARGV[2]) then return 0 end
redis.call('SET', KEYS[1] .. ':i', ARGV[4], 'KEEPTTL')
redis.call('HSET', KEYS[1], 's', ARGV[3], 'b', ARGV[5])
if ARGV[5] == '' then redis.call('HDEL', KEYS[1], 'l')
else redis.call('HSET', KEYS[1], 'l', ARGV[5]:sub(-16, -9)) end
if ARGV[6] == '' then redis.call('HDEL', KEYS[1], 'f', 'g')
else redis.call('HSET', KEYS[1], 'f', ARGV[6], 'g', ARGV[7]) end
redis.call('HINCRBY', KEYS[1], 'v', 1)
if ARGV[8] ~= '0' then
  redis.call('PEXPIRE', KEYS[1], ARGV[8])
  redis.call('PEXPIRE', KEYS[1] .. ':i', ARGV[8])
end
return 1`;
