// Maps each type of activity to the function that parses it.

import { typesOf } from "../../platform/json/read.ts";
import type { Incoming } from "./activity.ts";
import { parseAnnounce } from "./kinds/announce.ts";
import { parseAdd, parseRemove } from "./kinds/collections.ts";
import { parseCreate, parseRelayedCreate } from "./kinds/create.ts";
import { parseDelete } from "./kinds/delete.ts";
import { parseEventAnswer, parseJoin, parseLeave, parseRejectedAnswer } from "./kinds/events.ts";
import {
  isFeatureAnswer,
  parseFeatureAccept,
  parseFeatureReject,
  parseFeatureRequest,
} from "./kinds/features.ts";
import { parseFlag } from "./kinds/flag.ts";
import { parseAccept, parseBlock, parseFollow, parseReject } from "./kinds/follows.ts";
import {
  parseAnnounceRequest,
  parseInteractionAccept,
  parseInteractionReject,
  parseLikeRequest,
  parseReplyRequest,
} from "./kinds/interactions.ts";
import { parseLike } from "./kinds/like.ts";
import { parseMove } from "./kinds/move.ts";
import {
  isQuoteAnswer,
  parseQuoteAccept,
  parseQuoteReject,
  parseQuoteRequest,
} from "./kinds/quotes.ts";
import { parseRelayAnswer, parseRelayFollow } from "./kinds/relays.ts";
import { parseUndo } from "./kinds/undo.ts";
import { parseForwarded, parseUpdate } from "./kinds/update.ts";
import type { Parse, Parsed } from "./decision.ts";

/** Parsers by type; other types have no effect. */
const KINDS: Record<string, Parse> = {
  Accept: (incoming) =>
    parseRelayAnswer(incoming, "accepted") ??
    parseEventAnswer(incoming, "yes") ??
    (isFeatureAnswer(incoming)
      ? parseFeatureAccept(incoming)
      : isQuoteAnswer(incoming)
        ? parseQuoteAccept(incoming)
        : (parseInteractionAccept(incoming) ?? parseAccept(incoming))),
  Add: parseAdd,
  Announce: parseAnnounce,
  AnnounceRequest: parseAnnounceRequest,
  Block: parseBlock,
  Create: parseCreate,
  Delete: parseDelete,
  EmojiReact: parseLike,
  FeatureRequest: parseFeatureRequest,
  Flag: parseFlag,
  Follow: (incoming) => parseRelayFollow(incoming) ?? parseFollow(incoming),
  Forwarded: parseForwarded,
  Join: parseJoin,
  Leave: parseLeave,
  Like: parseLike,
  LikeRequest: parseLikeRequest,
  Move: parseMove,
  QuoteRequest: parseQuoteRequest,
  Reject: (incoming) =>
    parseRelayAnswer(incoming, "rejected") ??
    parseEventAnswer(incoming, "no") ??
    parseRejectedAnswer(
      incoming,
      isFeatureAnswer(incoming)
        ? parseFeatureReject(incoming)
        : isQuoteAnswer(incoming)
          ? parseQuoteReject(incoming)
          : (parseInteractionReject(incoming) ?? parseReject(incoming)),
    ),
  Relayed: parseRelayedCreate,
  Remove: parseRemove,
  ReplyRequest: parseReplyRequest,
  TentativeAccept: (incoming) => parseEventAnswer(incoming, "maybe"),
  Undo: parseUndo,
  Update: parseUpdate,
};

/** Returns what has to be looked up for an activity, and how it is judged; null if it has no effect. */
export const parseActivity = (incoming: Incoming): Parsed | null => {
  const type = typesOf(incoming.body).find((name) => Object.hasOwn(KINDS, name));
  return type === undefined ? null : KINDS[type]!(incoming);
};
