// Defines the settings that an administrator may read and write by name, with the text of each value.

import { Unprocessable } from "../../../platform/errors.ts";
import type { FullConfig } from "../../../platform/config/config.ts";
import { isEmailAddress } from "../../../platform/text/email-address.ts";
import { says } from "../../../platform/text/texts.ts";
import { ENOUGH, contrastOnLight, darkened, isColour } from "./colours.ts";
import { DEFAULT_REGISTRATIONS } from "./settings.ts";
import type { PictureKind, Settings } from "./settings.ts";

/** Settings that an administrator reads and writes, which excludes keys, tokens and relays. */
export type PublicName = Exclude<
  keyof Settings,
  "owner_setup" | "instance_actor_keys" | "relays" | "fasp_in_use" | `${PictureKind}_picture`
>;

type Definition = {
  help: string;
  /** Kind of input with which a form asks for the value. */
  input: "line" | "text" | "number" | "colour" | "flag" | readonly string[];
  /** Returns the value that the text stands for; throws a sentence that says what to enter instead. */
  parse(text: string, now: Date, config: FullConfig): unknown;
  /** Writes the value as a person would. */
  show(value: unknown): string;
  /** Value, as text, while the setting is not set. */
  initial?: string;
  /** Environment variable that replaces `initial`. */
  variable?: { name: string; read: (config: FullConfig["instance"]) => string };
};

const MAX_LINE = 1000;
const MAX_TEXT = 100_000;

const line = (help: string): Definition => ({
  help,
  input: "line",
  parse(text) {
    if (text.length > MAX_LINE)
      throw new Unprocessable(says("staff.invalid.long", { count: MAX_LINE }));
    return text.replaceAll(/\s+/g, " ").trim();
  },
  show: String,
});

const webAddress = (help: string): Definition => ({
  ...line(help),
  parse(text) {
    if (!/^https?:\/\//i.test(text) || !URL.canParse(text) || text.length > MAX_LINE) {
      throw new Unprocessable(says("staff.invalid.address"));
    }
    return text;
  },
});

/** Whether there is such an account is asked where it is changed (moderation/server.ts). */
const username = (help: string): Definition => ({
  ...line(help),
  parse: (text) => text.trim().replace(/^@/, ""),
});

const emailAddress = (help: string): Definition => ({
  ...line(help),
  parse(text, _now, config) {
    if (!isEmailAddress(text.trim(), config)) throw new Unprocessable(says("invalid.email"));
    return text.trim();
  },
});

const words = (help: string, allowed: string[], initial: string): Definition => ({
  initial,
  help: `${help} (${allowed.join(", ")})`,
  input: allowed,
  parse(text) {
    if (!allowed.includes(text))
      throw new Unprocessable(says("staff.invalid.word", { words: allowed.join(", ") }));
    return text;
  },
  show: String,
});

const years = (help: string): Definition => ({
  help: `${help} (1 to 120)`,
  input: "number",
  parse(text) {
    const number = Number(text);
    if (!Number.isInteger(number) || number < 1 || number > 120) {
      throw new Unprocessable(says("staff.invalid.years"));
    }
    return number;
  },
  show: String,
});

const MAX_NAMES = 1000;

const names = (help: string): Definition => ({
  help: `${help} (separated by spaces)`,
  input: "line",
  parse(text) {
    const list = [
      ...new Set(
        text
          .toLowerCase()
          .split(/[\s,]+/)
          .filter(Boolean),
      ),
    ];
    if (list.length > MAX_NAMES || list.some((name) => !/^[a-z0-9_]{1,30}$/.test(name))) {
      throw new Unprocessable(says("staff.invalid.names", { count: MAX_NAMES }));
    }
    return list;
  },
  show: (value) => (value as string[]).join(" "),
});

const flag = (help: string, isOn: boolean): Definition => ({
  initial: String(isOn),
  help: `${help} (true, false)`,
  input: "flag",
  parse(text) {
    if (text !== "true" && text !== "false") throw new Unprocessable(says("staff.invalid.flag"));
    return text === "true";
  },
  show: String,
});

/** Defines a text with the time of its last change. */
const dated = (help: string): Definition => ({
  help: `${help} (plain text or HTML)`,
  input: "text",
  parse(text, now) {
    if (text.length > MAX_TEXT)
      throw new Unprocessable(says("staff.invalid.long", { count: MAX_TEXT }));
    return { text, updated_at: now.toISOString() };
  },
  show: (value) => (value as { text: string }).text,
});

/** Defines a colour; one that is too light to read is refused with the nearest that can be read. */
const colour = (help: string, initial: string): Definition => ({
  help: `${help} (like ${initial})`,
  input: "colour",
  initial,
  parse(text) {
    if (!isColour(text))
      throw new Unprocessable(says("staff.invalid.colour", { example: initial }));
    const ratio = contrastOnLight(text);
    if (ratio < ENOUGH) {
      const values = { ratio: ratio.toFixed(1), enough: String(ENOUGH), nearest: darkened(text) };
      throw new Unprocessable(says("staff.invalid.contrast", values));
    }
    return text.toLowerCase();
  },
  show: String,
});

const SEEN_BY = ["disabled", "users", "all"];

export const DEFINITIONS: Record<PublicName, Definition> = {
  registrations: words("Who can sign up", ["open", "approved", "closed"], DEFAULT_REGISTRATIONS),
  registrations_message: line("Shown on the sign-up page while sign-ups are closed"),
  min_age: years("Nobody younger than this many years can sign up"),
  reserved_names: names("Usernames that nobody can sign up with"),
  title: {
    ...line("The name of the server"),
    initial: "Rookery",
    variable: { name: "INSTANCE_TITLE", read: ({ title }) => title },
  },
  description: {
    ...line("A short description of the server, in a sentence or two"),
    variable: { name: "INSTANCE_DESCRIPTION", read: ({ description }) => description },
  },
  extended_description: dated("A longer description of the server, for the About page"),
  privacy_policy: dated("The privacy policy; replaces the built-in one"),
  contact_email: {
    ...emailAddress("Contact email address"),
    variable: { name: "CONTACT_EMAIL", read: ({ contactEmail }) => contactEmail },
  },
  contact_account: username("Contact account: a username on this server; the owner by default"),
  status_page_url: webAddress("Address of a status page for this server"),
  thumbnail_url: webAddress("Address of the server's banner image"),
  thumbnail_description: line("Alternative text of the banner image"),
  accent_color: colour("The colour of links and buttons", "#5b3fc4"),
  show_domain_blocks: words("Who can see the list of blocked servers", SEEN_BY, "disabled"),
  show_domain_blocks_rationale: words("Who can see why servers are blocked", SEEN_BY, "disabled"),
  peers_api: flag("Publish the list of known servers", true),
  activity_api: flag("Publish weekly activity statistics", true),
  languages_by_locale: flag(
    "Show public timelines in the reader's language unless they chose others",
    false,
  ),
  trends: flag("Show trending posts, hashtags and links", true),
  trendable_by_default: flag(
    "Let posts, hashtags and links trend without review by a moderator",
    false,
  ),
  trends_as_landing_page: flag(
    "Show trending posts instead of recent ones on the front page",
    false,
  ),
  default_quote_policy: words(
    "Who can quote new posts, unless their author chose otherwise",
    ["public", "followers", "nobody"],
    "public",
  ),
  group_creation: words("Who can make groups", ["all", "staff", "nobody"], "all"),
  profile_directory: flag(
    "Publish the profile directory of people who opted in to discovery",
    true,
  ),
};

/** Throws a sentence that lists the existing names, for the command line. */
export const definitionOf = (name: string): Definition => {
  const definition = Object.hasOwn(DEFINITIONS, name) ? DEFINITIONS[name as PublicName] : undefined;
  if (!definition) {
    throw new Unprocessable(
      `There is no setting "${name}". The settings are: ${Object.keys(DEFINITIONS).join(", ")}.`,
    );
  }
  return definition;
};

/** Where a value comes from. */
export type Origin = "set" | "environment" | "default";

/** The value that holds for a setting, as text. `initial` holds while it is not set. */
export type SettingValue = { text: string; initial: string; origin: Origin; variable?: string };

/** Returns the value that holds while the setting is not set, and whether it comes from the environment. */
const initialOf = ({ initial = "", variable }: Definition, config: FullConfig) => {
  const configured = variable?.read(config.instance) ?? initial;
  return { initial: configured, isConfigured: variable !== undefined && configured !== initial };
};

export const valueOf = (
  name: PublicName,
  values: Partial<Settings>,
  config: FullConfig,
): SettingValue => {
  const definition = definitionOf(name);
  const { initial, isConfigured } = initialOf(definition, config);
  const value = values[name];
  const origin = isConfigured ? "environment" : "default";
  return {
    text: value === undefined ? initial : definition.show(value),
    initial,
    origin: value === undefined ? origin : "set",
    ...(isConfigured && { variable: definition.variable!.name }),
  };
};
