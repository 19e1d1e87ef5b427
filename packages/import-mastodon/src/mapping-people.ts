// Tables of Mastodon 4.3 about people: accounts, relations, lists, notifications, apps, how they sign in.

import {
  STAMP,
  OWN_ID,
  FILES,
  COUNTED,
  PASSING,
  INTERNAL,
  left,
  nothing,
} from "./table-mapping.ts";
import type { TableMapping } from "./table-mapping.ts";

export const OF_PEOPLE: Record<string, TableMapping> = {
  account_aliases: nothing("accounts.also_known_as says it"),
  account_deletion_requests: {
    into: "account_deletions",
    take: "account_id created_at",
    leave: { ...left(OWN_ID, "id"), ...left(STAMP, "updated_at") },
  },
  account_domain_blocks: {
    into: "account_domain_blocks",
    take: "id account_id domain created_at",
    leave: left(STAMP, "updated_at"),
  },
  account_migrations: {
    into: "account_moves",
    take: "id account_id target_account_id created_at",
    leave: { ...left(STAMP, "updated_at"), acct: "of the target", followers_count: COUNTED },
  },
  account_notes: {
    into: "account_notes",
    take: "account_id target_account_id comment",
    leave: { ...left(OWN_ID, "id"), ...left(STAMP, "created_at", "updated_at") },
  },
  account_pins: {
    into: "endorsements",
    take: "account_id target_account_id created_at",
    leave: { ...left(OWN_ID, "id"), ...left(STAMP, "updated_at") },
  },
  account_relationship_severance_events: {
    into: null,
    take: "id relationship_severance_event_id",
    leave: {
      ...left(COUNTED, "followers_count", "following_count"),
      ...left(STAMP, "created_at", "updated_at"),
      account_id: "of the severed relationships",
    },
  },
  account_stats: {
    into: "account_stats",
    take: "account_id statuses_count following_count followers_count last_status_at",
    leave: { ...left(OWN_ID, "id"), ...left(STAMP, "created_at", "updated_at") },
  },
  accounts: {
    into: "accounts, account_keys",
    take: `id username domain private_key public_key created_at updated_at note display_name uri url
      avatar_file_name avatar_remote_url header_file_name header_remote_url locked last_webfingered_at inbox_url
      outbox_url shared_inbox_url followers_url memorial moved_to_account_id featured_collection_url fields actor_type
      discoverable also_known_as silenced_at suspended_at hide_collections sensitized_at suspension_origin trendable
      reviewed_at requested_review_at indexable attribution_domains`,
    leave: {
      ...left(
        FILES,
        "avatar_content_type",
        "avatar_file_size",
        "avatar_updated_at",
        "avatar_storage_schema_version",
        "header_content_type",
        "header_file_size",
        "header_updated_at",
        "header_storage_schema_version",
      ),
      protocol: "there is one",
    },
  },
  accounts_tags: nothing("found in the profile itself"),
  backups: nothing(
    "people make a new archive in a minute",
    "archives that people had made of their posts",
  ),
  blocks: {
    into: "blocks",
    take: "id created_at account_id target_account_id uri",
    leave: left(STAMP, "updated_at"),
  },
  bulk_import_rows: nothing(PASSING, "lines of imports that people had begun and not finished"),
  bulk_imports: nothing(PASSING, "the list of the files that people imported"),
  featured_tags: {
    into: "featured_tags",
    take: "id account_id tag_id created_at name",
    leave: { ...left(COUNTED, "statuses_count", "last_status_at"), ...left(STAMP, "updated_at") },
  },
  follow_recommendation_mutes: {
    into: "dismissed_suggestions",
    take: "id account_id target_account_id",
    leave: left(STAMP, "created_at", "updated_at"),
  },
  follow_requests: {
    into: "follow_requests",
    take: "id created_at account_id target_account_id show_reblogs uri notify languages",
    leave: left(STAMP, "updated_at"),
  },
  follows: {
    into: "follows, follower_digests",
    take: "id created_at account_id target_account_id show_reblogs uri notify languages",
    leave: left(STAMP, "updated_at"),
  },
  generated_annual_reports: {
    into: null,
    take: "",
    leave: { "*": "made again from the posts when somebody asks for it" },
  },
  identities: {
    into: "sso_identities",
    take: "id provider uid created_at user_id",
    leave: left(STAMP, "updated_at"),
  },
  imports: nothing(PASSING),
  invites: {
    into: "invites",
    take: "id user_id code expires_at max_uses uses created_at",
    leave: {
      ...left(STAMP, "updated_at"),
      autofollow: "people choose whom they follow",
      comment: "shown nowhere",
    },
  },
  list_accounts: {
    into: "list_accounts",
    take: "id list_id account_id",
    leave: left("found when it is needed", "follow_id", "follow_request_id"),
  },
  lists: {
    into: "lists",
    take: "id account_id title created_at replies_policy exclusive",
    leave: left(STAMP, "updated_at"),
  },
  login_activities: nothing(PASSING, "the list of recent sign-ins"),
  markers: {
    into: "markers",
    take: "id user_id timeline last_read_id lock_version updated_at",
    leave: left(STAMP, "created_at"),
  },
  mutes: {
    into: "mutes",
    take: "id created_at hide_notifications account_id target_account_id expires_at",
    leave: left(STAMP, "updated_at"),
  },
  notification_permissions: {
    into: "notification_permissions",
    take: "id account_id from_account_id created_at",
    leave: left(STAMP, "updated_at"),
  },
  notification_policies: {
    into: "notification_policies",
    take: `id account_id for_not_following for_not_followers for_new_accounts for_private_mentions
      for_limited_accounts`,
    leave: left(STAMP, "created_at", "updated_at"),
  },
  notification_requests: {
    into: "notification_requests",
    take: "id account_id from_account_id created_at updated_at",
    leave: left(COUNTED, "last_status_id", "notifications_count"),
  },
  notifications: {
    into: "notifications, notification_groups, notification_requests",
    take: "id activity_id activity_type created_at account_id from_account_id type filtered group_key",
    leave: left(STAMP, "updated_at"),
  },
  oauth_access_grants: nothing("they are valid for ten minutes"),
  oauth_access_tokens: {
    into: "oauth_tokens",
    take: "id token expires_in revoked_at created_at scopes application_id resource_owner_id last_used_at",
    leave: {
      refresh_token: "there are none",
      last_used_ip: "networks of clients are kept for days only",
    },
  },
  oauth_applications: {
    into: "oauth_apps",
    take: "id name uid secret redirect_uri scopes created_at website",
    leave: {
      ...left(STAMP, "updated_at"),
      ...left(INTERNAL, "superapp", "owner_type", "owner_id"),
      confidential: "every app has a secret",
    },
  },
  relationship_severance_events: {
    into: "severance_events",
    take: "id type target_name purged created_at",
    leave: left(STAMP, "updated_at"),
  },
  session_activations: nothing(
    "sessions of browsers are signed by the other software",
    "sign-ins in browsers (apps stay signed in)",
  ),
  severed_relationships: {
    into: "severed_relationships",
    take: `id relationship_severance_event_id local_account_id remote_account_id direction show_reblogs notify
      languages`,
    leave: left(STAMP, "created_at", "updated_at"),
  },
  tag_follows: {
    into: "tag_follows",
    take: "id tag_id account_id created_at",
    leave: left(STAMP, "updated_at"),
  },
  users: {
    into: "users, totp_secrets, recovery_codes",
    take: `id email created_at encrypted_password current_sign_in_at confirmed_at locale
      consumed_timestep otp_required_for_login account_id disabled invite_id chosen_languages
      created_by_application_id approved sign_up_ip role_id settings time_zone otp_secret otp_backup_codes`,
    leave: {
      ...left(STAMP, "updated_at"),
      ...left(PASSING, "reset_password_token", "reset_password_sent_at"),
      ...left(PASSING, "sign_in_token", "sign_in_token_sent_at", "skip_sign_in_token"),
      ...left(
        "a new mail is sent at the next sign-in",
        "confirmation_token",
        "confirmation_sent_at",
      ),
      unconfirmed_email: "a change of address that was not confirmed",
      sign_in_count: "shown nowhere",
      last_sign_in_at: "current_sign_in_at is newer",
      ...left(
        "of versions before 4.3",
        "encrypted_otp_secret",
        "encrypted_otp_secret_iv",
        "encrypted_otp_secret_salt",
      ),
      last_emailed_at: "shown nowhere",
      webauthn_id: "no passkey needs it",
    },
    losses: {
      "changes of address that were not confirmed": "o.unconfirmed_email IS NOT NULL",
    },
  },
  web_push_subscriptions: {
    into: "push_subscriptions",
    take: "id endpoint key_p256dh key_auth data created_at access_token_id",
    leave: { ...left(STAMP, "updated_at"), user_id: "of the token" },
    losses: { "push to browsers that were signed in": "o.access_token_id IS NULL" },
  },
  web_settings: nothing(
    "the columns and choices of the other web client",
    "how people had arranged the other web client",
  ),
  webauthn_credentials: {
    into: "passkeys",
    take: "id external_id public_key nickname sign_count user_id created_at",
    leave: left(STAMP, "updated_at"),
  },
};
