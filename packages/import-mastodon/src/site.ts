// Imports the server itself: settings, rules, announcements, emojis, relays, webhooks, what may trend, what was
// deleted.

import { instantOf, WEBHOOK_EVENTS, fileUrl } from "./uses.ts";
import type { RelaySetting, Settings } from "./uses.ts";
import { inTurn, pathOf } from "./files.ts";
import { copied, rowByRow } from "./step.ts";
import type { Row, Step } from "./step.ts";
import { yamlScalar } from "./yaml.ts";

type Setting = { [Name in keyof Settings]: { name: Name; value: Settings[Name] } }[keyof Settings];

const line =
  (name: "title" | "description" | "contact_email" | "registrations_message" | "status_page_url") =>
  (value: string): Setting => ({ name, value });

const flag =
  (
    name:
      | "profile_directory"
      | "trends"
      | "trendable_by_default"
      | "trends_as_landing_page"
      | "peers_api"
      | "activity_api",
  ) =>
  (value: string): Setting => ({ name, value: value === "true" });

const dated =
  (name: "extended_description" | "privacy_policy") =>
  (text: string, row: Row): Setting => ({
    name,
    value: { text, updated_at: instantOf(row.updated_at)!.toISOString() },
  });

const SEEN_BY = ["disabled", "users", "all"] as const;

const seenBy =
  (name: "show_domain_blocks" | "show_domain_blocks_rationale") =>
  (value: string): Setting => ({
    name,
    value: SEEN_BY.find((word) => word === value) ?? "disabled",
  });

const REGISTRATIONS = { open: "open", approved: "approved", none: "closed" } as const;

/** Converts settings by name: https://docs.joinmastodon.org/admin/setup/; others have no place here. */
export const SETTINGS: Record<string, (value: string, row: Row) => Setting | null> = {
  site_title: line("title"),
  site_short_description: line("description"),
  site_contact_email: line("contact_email"),
  site_contact_username: (value) => ({ name: "contact_account", value: value.replace(/^@/, "") }),
  closed_registrations_message: line("registrations_message"),
  registrations_mode: (value) => ({
    name: "registrations",
    value: REGISTRATIONS[value as keyof typeof REGISTRATIONS] ?? "closed",
  }),
  site_extended_description: dated("extended_description"),
  site_terms: dated("privacy_policy"),
  show_domain_blocks: seenBy("show_domain_blocks"),
  show_domain_blocks_rationale: seenBy("show_domain_blocks_rationale"),
  status_page_url: line("status_page_url"),
  profile_directory: flag("profile_directory"),
  trends: flag("trends"),
  trendable_by_default: flag("trendable_by_default"),
  trends_as_landing_page: flag("trends_as_landing_page"),
  peers_api_enabled: flag("peers_api"),
  activity_api_enabled: flag("activity_api"),
  min_age: (value) => (Number(value) > 0 ? { name: "min_age", value: Number(value) } : null),
};

const settings: Step = {
  name: "settings",
  from: "settings",
  convert: rowByRow("settings", (row) => {
    const value = yamlScalar(row.value ?? "");
    return value === null || value === "" ? null : (SETTINGS[row.var]?.(value, row) ?? null);
  }),
};

const banner: Step = {
  name: "banner of the server",
  from: "site_uploads",
  where: "o.var = 'thumbnail' AND o.file_file_name IS NOT NULL",
  async convert(rows, { app, files }) {
    const keys = await inTurn(rows, ({ id, file_file_name: name }) =>
      files.copy(pathOf("site_uploads/files", id, "original", name)),
    );
    const key = keys.find((name) => name !== null);
    if (!key) return {};
    return {
      into: { settings: [{ name: "thumbnail_url", value: fileUrl(app.config.site, key) }] },
    };
  },
};

const rules: Step = {
  name: "rules",
  counts: "rules",
  from: "rules",
  // They are few, and translations change without a time of change.
  changed: null,
  extraOf: {
    rule_translations: {
      translations: `SELECT json_object_agg(t.language, json_build_object('text', t.text, 'hint', t.hint))::text
        FROM rule_translations t WHERE t.rule_id = o.id`,
    },
  },
  convert: copied("rules", "id text hint deleted_at created_at", (row) => ({
    position: row.priority,
    translations: JSON.parse(row.translations ?? "{}"),
  })),
};

const announcements: Step = {
  name: "announcements",
  from: "announcements",
  sweeps: "announcements",
  convert: copied(
    "announcements",
    "id text starts_at ends_at all_day scheduled_at created_at updated_at",
    (row) => ({
      published_at: row.published ? (row.published_at ?? row.created_at) : null,
    }),
  ),
};

const dismissals: Step = {
  name: "dismissed announcements",
  from: "announcement_mutes",
  convert: rowByRow("announcement_dismissals", (row) => ({
    account_id: row.account_id,
    announcement_id: row.announcement_id,
  })),
};

const reactions: Step = {
  name: "reactions to announcements",
  from: "announcement_reactions",
  sweeps: "announcement_reactions",
  convert: copied("announcement_reactions", "id announcement_id account_id name"),
};

const emojis: Step = {
  name: "emojis",
  from: "custom_emojis",
  where: "o.domain IS NULL AND o.image_file_name IS NOT NULL",
  batch: 100,
  extra: { category: "SELECT c.name FROM custom_emoji_categories c WHERE c.id = o.category_id" },
  async convert(rows, { files }) {
    const pictures = await inTurn(rows, async ({ id, image_file_name: name }) => {
      const still = name.replace(/\.\w+$/, ".png");
      const whole = await files.copy(pathOf("custom_emojis/images", id, "original", name));
      return {
        whole,
        still: await files.copy(pathOf("custom_emojis/images", id, "static", still)),
      };
    });
    return {
      into: {
        custom_emojis: rows.flatMap((row, n) => {
          const { whole, still } = pictures[n]!;
          if (!whole) return [];
          return {
            id: row.id,
            shortcode: row.shortcode,
            category: row.category,
            visible_in_picker: row.visible_in_picker,
            disabled: row.disabled,
            created_at: row.created_at,
            updated_at: row.updated_at,
            file_key: whole,
            static_key: still ?? whole,
          };
        }),
      },
    };
  },
};

const STATES: Record<number, RelaySetting["state"]> = {
  1: "pending",
  2: "accepted",
  3: "rejected",
};

/** Imports relays, which are a setting here; they are few, and each pass writes them all. */
const relays: Step = {
  name: "relays",
  from: "relays",
  changed: null,
  convert: (rows) => ({
    into: {
      settings: [
        {
          name: "relays",
          value: rows.flatMap((row): RelaySetting[] => {
            const state = STATES[row.state];
            const relay = { id: String(row.id), inbox: row.inbox_url, actor: null };
            return state ? [{ ...relay, style: "mastodon", state }] : [];
          }),
        },
      ],
    },
  }),
};

const webhooks: Step = {
  name: "webhooks",
  from: "webhooks",
  sweeps: "webhooks",
  convert: copied("webhooks", "id url secret enabled created_at", (row) => ({
    events: row.events.filter((event: string) => WEBHOOK_EVENTS.some((known) => known === event)),
  })),
};

const publishers: Step = {
  name: "decisions about publishers",
  from: "preview_card_providers",
  convert: copied("trend_publishers", "id domain trendable reviewed_at requested_review_at"),
};

const tombstones: Step = {
  name: "deleted posts of other servers",
  counts: "tombstones",
  from: "tombstones",
  convert: rowByRow("tombstones", (row) => ({ uri: row.uri, created_at: row.created_at })),
};

export const SITE_STEPS: Step[] = [
  settings,
  banner,
  rules,
  announcements,
  dismissals,
  reactions,
  emojis,
  relays,
  webhooks,
  publishers,
  tombstones,
];
