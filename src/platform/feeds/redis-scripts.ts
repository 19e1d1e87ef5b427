// The scripts that Valkey runs on feeds (redis.ts): what happens most often, without moving the feed. A feed is a
// hash: `s` its state ("e" empty, "w" whole, "p" and the floor), `i` its ids and `b` its boosts with what they boost, as
// 64-bit big-endian numbers in rising order, `v` counts changes, `f` who fills it and until when, `g` what was removed
// meanwhile. Lua's numbers have 53 bits, and it compares texts by the locale: so ids are compared as two halves.

import { FEED_LENGTH, REPEAT_SPAN } from "./index.ts";
import { CAPACITY, MAX_BOOSTS } from "./sorted.ts";

const LESS = `
local function less(a, b)
  local ah, al = struct.unpack('>I4I4', a)
  local bh, bl = struct.unpack('>I4I4', b)
  return ah < bh or (ah == bh and al < bl)
end`;

/** Answers of `push`. */
export const [MISSING, SHOWN, LEFT_OUT, TO_ARRANGE] = [0, 1, 2, 3];

/** Workers that work side by side cross each other by so few posts. */
const LATE = 100;

/**
 * KEYS: feeds; ARGV: an id, what it boosts or ''. Adds what is newer than everything in the feed, and a post (no boost) that
 * is newer than every boost and comes a little late; anything else, and while it is filled, is left to the caller
 * (TO_ARRANGE).
 */
export const PUSH = `${LESS}
local id, of = ARGV[1], ARGV[2]
local function place(ids)
  for at = #ids, math.max(8, #ids - 8 * ${LATE}), -8 do
    local other = ids:sub(at - 7, at)
    if other == id then return nil, true end
    if less(other, id) then return at end
  end
  return nil
end
local answers = {}
for n, key in ipairs(KEYS) do
  local feed = redis.call('HMGET', key, 's', 'i', 'b', 'f')
  local ids, boosts = feed[2] or '', feed[3] or ''
  if not feed[1] then
    answers[n] = ${MISSING}
  elseif feed[4] or (#boosts > 0 and not less(boosts:sub(-16, -9), id)) then
    answers[n] = ${TO_ARRANGE}
  elseif #ids > 0 and not less(ids:sub(-8), id) then
    local at, isThere
    if of == '' then at, isThere = place(ids) end
    if at then
      ids = ids:sub(1, at) .. id .. ids:sub(at + 1)
      if #ids >= 8 * ${CAPACITY} then ids = ids:sub(-8 * ${FEED_LENGTH}) end
      redis.call('HSET', key, 'i', ids)
      redis.call('HINCRBY', key, 'v', 1)
    end
    answers[n] = (at or isThere) and ${SHOWN} or ${TO_ARRANGE}
  else
    local repeats = false
    if of ~= '' then
      local from = math.max(0, #ids - 8 * ${REPEAT_SPAN}) + 1
      local recent = {}
      for at = from, #ids, 8 do recent[ids:sub(at, at + 7)] = true end
      repeats = recent[of] == true
      if #ids > 0 then
        local oldest = ids:sub(from, from + 7)
        for at = #boosts - 15, 1, -16 do
          local other = boosts:sub(at, at + 7)
          if repeats or less(other, oldest) then break end
          repeats = recent[other] == true and boosts:sub(at + 8, at + 15) == of
        end
      end
      boosts = boosts .. id .. of
      if #boosts > 16 * ${MAX_BOOSTS} then boosts = boosts:sub(17) end
      redis.call('HSET', key, 'b', boosts)
    end
    if not repeats then
      ids = ids .. id
      if #ids >= 8 * ${CAPACITY} then ids = ids:sub(-8 * ${FEED_LENGTH}) end
      redis.call('HSET', key, 'i', ids)
    end
    redis.call('HINCRBY', key, 'v', 1)
    answers[n] = repeats and ${LEFT_OUT} or ${SHOWN}
  end
end
return answers`;

/** KEYS: feeds; ARGV: ids. 1 for each feed that has one of them, or is being filled. */
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
local answers = {}
for n, key in ipairs(KEYS) do
  local feed = redis.call('HMGET', key, 's', 'i', 'b', 'f')
  answers[n] = 0
  if feed[4] then answers[n] = 1 end
  if feed[1] then
    for _, id in ipairs(ARGV) do
      if has(feed[2] or '', id, 8) or has(feed[3] or '', id, 16) then answers[n] = 1 end
    end
  end
end
return answers`;

/** KEYS: feeds. 1 for each that has nothing to show yet. */
export const ARE_MISSING = `
local answers = {}
for n, key in ipairs(KEYS) do
  local state = redis.call('HGET', key, 's')
  answers[n] = (not state or state == 'e') and 1 or 0
end
return answers`;

/** ARGV: how many. The state, and so many of the newest ids. */
export const NEWEST = `
local feed = redis.call('HMGET', KEYS[1], 's', 'i')
if not feed[1] then return {} end
return {feed[1], ARGV[1] == '0' and '' or (feed[2] or ''):sub(-8 * ARGV[1])}`;

/**
 * ARGV: the filler's token, the milliseconds that it has, and that a feed lives which nobody fills. 1: it is the
 * filler now. One that died has had its time.
 */
export const OPEN = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local feed = redis.call('HMGET', KEYS[1], 's', 'f')
if feed[1] == 'w' then return 0 end
if feed[2] and tonumber(feed[2]:match('%d+$')) > now then return 0 end
redis.call('HSET', KEYS[1], 'f', ARGV[1] .. ':' .. string.format('%.0f', now + ARGV[2]), 'g', '')
redis.call('HINCRBY', KEYS[1], 'v', 1)
if not feed[1] then
  redis.call('HSET', KEYS[1], 's', 'e', 'i', '', 'b', '')
  redis.call('PEXPIRE', KEYS[1], ARGV[3])
end
return 1`;

/**
 * ARGV: the version that was read, then s i b f g ('' as f: nobody fills it) and the milliseconds that it lives from now
 * on (0: as before). 0: it was changed or dropped meanwhile.
 */
export const SAVE = `
if redis.call('HGET', KEYS[1], 'v') ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 's', ARGV[2], 'i', ARGV[3], 'b', ARGV[4])
if ARGV[5] == '' then redis.call('HDEL', KEYS[1], 'f', 'g')
else redis.call('HSET', KEYS[1], 'f', ARGV[5], 'g', ARGV[6]) end
redis.call('HINCRBY', KEYS[1], 'v', 1)
if ARGV[7] ~= '0' then redis.call('PEXPIRE', KEYS[1], ARGV[7]) end
return 1`;
