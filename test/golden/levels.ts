// Normalises recorded answers and ours, so that they can be compared: ids and secrets are mapped as they appear, hosts
// become the recorded ones, and only the format of times stays.

/** Host in the recorded server's URLs. */
const RECORDED_HOST = "mast.test";
const RECORDED_SOCKET = "https://127.0.0.1:3900";

const LONG_ID = /\d{15,}/g;
/** Members whose value the client sends in later requests. */
const SECRETS = new Set(["client_id", "client_secret"]);
/** Seconds between the days of a tag's history: midnights of UTC. */
const DAY_SECONDS = 86_400;
const RECORDED_DAY = Date.UTC(2026, 10, 21) / 1000;
const MOMENT = /^\d{10}$/;
/** A date that was years ahead when the recording was made. */
const LATER = /^20[3-9]\d(?=-\d\d-\d\dT)/;
const RECORDED_YEAR = 2026;
/** Paths of stored files, on both servers. */
const STORED_FILE =
  /\/(?:system\/media_attachments\/files\/(?:\d+\/)+\w+\/\w+|media\/attachments\/\w+\/\w+)(\.\w+)/g;
/** Paths of records with small ids, by their names. */
const COUNTED = /\/(polls|scheduled_statuses|featured_tags)\/(\d+)/g;

export type Levels = {
  /** Learns which of our ids belongs to which recorded one. */
  learn(recorded: unknown, ours: unknown): void;
  /** Learns the same for a small id of a kind ("polls"), which is not unique by itself. */
  learnCounted(kind: string, recorded: string, ours: string): void;
  /** Returns a recorded request with our ids. */
  requested<T>(value: T): T;
  /** Returns an answer with recorded ids and times without figures; `now` is when it was given, if not recorded. */
  level<T>(value: T, now?: Date): T;
};

const mapStrings = (value: unknown, change: (text: string) => string): unknown => {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, change));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, mapStrings(item, change)]),
  );
};

/** Keeps only the format of 2026-11-21T05:01:43.170Z; a midnight, which comes from rounding, stays midnight. */
const levelTimes = (text: string): string =>
  text
    .replaceAll(/\d{4}-\d\d-\d\d/g, "DATE")
    .replaceAll(/T(?!00:00:00)\d\d:\d\d:\d\d/g, "Ttime")
    .replaceAll(/(Ttime\.)\d{3}Z/g, "$1msZ");

/** Replaces the day of a history by its distance from today. */
const levelDay = (text: string, today: number): string => {
  const days = (today - Number(text)) / DAY_SECONDS;
  return MOMENT.test(text) && Number.isInteger(days) ? `${days} days ago` : text;
};

const asFarAhead = (year: string): string =>
  String(Number(year) - RECORDED_YEAR + new Date().getUTCFullYear());

const levelConversations = (text: string): string =>
  text.replaceAll(/objectId=\d+:objectType=Conversation/g, "objectId=N:objectType=Conversation");

/** `origin` is the URL of our server, where it differs from its own name. */
export const makeLevels = (origin: string): Levels => {
  const toOurs = new Map<string, string>();
  const toRecorded = new Map<string, string>();
  const counted = new Map<string, string>();

  const pair = (recorded: string, ours: string) => {
    if (toOurs.has(recorded) || toRecorded.has(ours)) return;
    toOurs.set(recorded, ours);
    toRecorded.set(ours, recorded);
  };

  /** Pairs ids, and URLs that contain an id. */
  const pairIds = (recorded: string, ours: string) => {
    const [theirs, own] = [recorded.match(LONG_ID) ?? [], ours.match(LONG_ID) ?? []];
    if (theirs.length === own.length) theirs.forEach((id, index) => pair(id, own[index]!));
  };

  const learn = (recorded: unknown, ours: unknown, name = ""): void => {
    if (typeof recorded === "string" && typeof ours === "string") {
      if (SECRETS.has(name)) pair(recorded, ours);
      if (/(?:^|_)id$/.test(name)) pairIds(recorded, ours);
    } else if (typeof recorded === "object" && recorded && typeof ours === "object" && ours) {
      for (const [key, item] of Object.entries(recorded)) {
        learn(item, (ours as Record<string, unknown>)[key], key);
      }
    }
  };

  const requested = (text: string) =>
    (toOurs.get(text) ?? text)
      .replace(LATER, asFarAhead)
      .replaceAll(LONG_ID, (id) => toOurs.get(id) ?? id)
      .replaceAll(COUNTED, (whole, kind: string, id: string) => {
        const known = counted.get(`${kind}/${id}`);
        return known === undefined ? whole : `/${kind}/${known}`;
      });

  const level = (text: string) =>
    levelConversations(
      levelTimes(
        (toRecorded.get(text) ?? text)
          .replaceAll(STORED_FILE, "/FILE$1")
          .replaceAll(LONG_ID, (id) => toRecorded.get(id) ?? id)
          .replaceAll(RECORDED_SOCKET, `https://${RECORDED_HOST}`)
          .replaceAll(`${RECORDED_HOST}:3900`, RECORDED_HOST)
          .replaceAll(origin, `https://${RECORDED_HOST}`),
      ),
    );

  return {
    learn: (recorded, ours) => learn(recorded, ours),
    learnCounted: (kind, recorded, ours) => counted.set(`${kind}/${recorded}`, ours),
    requested: <T>(value: T) => mapStrings(value, requested) as T,
    level<T>(value: T, now?: Date) {
      const today = now ? Math.floor(now.getTime() / 1000 / DAY_SECONDS) * DAY_SECONDS : RECORDED_DAY;
      return mapStrings(value, (text) => levelDay(level(text), today)) as T;
    },
  };
};
