// Chooses which notifications are shown and where: the policy, push, and clearing them all.

import type { NotificationPolicy } from "../api/entities.ts";
import { useApp } from "../app.ts";
import { useDeviceZone } from "../window/zone.ts";
import { Decision } from "../elements/decision.tsx";
import { FormFields } from "../elements/form-fields.tsx";
import { ColumnHead } from "../views/frame.tsx";
import { PushPanel } from "../views/push-panel.tsx";
import { SaveButton, SelectField, SettingsForm, TextField } from "../views/settings-form.tsx";
import type { Option } from "../views/settings-form.tsx";
import { loadPolicy } from "../store/notifications.ts";
import type { Page } from "./page.ts";

const CLASSES = [
  "for_not_following",
  "for_not_followers",
  "for_new_accounts",
  "for_private_mentions",
  "for_limited_accounts",
  "for_bots",
] as const;

const CHOICES = ["accept", "filter", "drop"] as const;

const Policy = ({ policy }: { policy: NotificationPolicy }) => {
  const { t } = useApp();
  return (
    <section class="panel">
      <h2>{t("policy.title")}</h2>
      <SettingsForm atOnce action="/web/act/notifications/policy" done={t("policy.saved")}>
        {CLASSES.map((name) => (
          <SelectField
            key={name}
            name={name}
            label={t(`policy.${name}`)}
            value={policy[name] ?? "accept"}
            options={CHOICES.map((choice): Option => [choice, t(`policy.${choice}`)])}
          />
        ))}
        <p class="soft small">{t("policy.drop_note")}</p>
        <SaveButton />
      </SettingsForm>
    </section>
  );
};

type Quiet = { from: string | null; until: string | null; zone: string | null };

const QuietHours = ({ quiet }: { quiet: Quiet }) => {
  const { t } = useApp();
  const here = useDeviceZone();
  const zone = quiet.zone ?? here ?? "UTC";
  return (
    <section class="panel quiet-hours">
      <h2>{t("quiet.title")}</h2>
      <p class="soft small">
        {t("quiet.about", { zone })} {t("quiet.none")}
      </p>
      <p class="small">
        <a href="/settings/preferences">{t("quiet.zone")}</a>
      </p>
      <SettingsForm
        action="/web/act/preferences"
        back="/notifications/settings"
        done={t("settings.saved_quiet")}
      >
        {quiet.zone === null && here && <input type="hidden" name="time_zone" value={here} />}
        {(["from", "until"] as const).map((end) => (
          <TextField
            key={end}
            type="time"
            name={`notifying:quiet_${end}`}
            label={t(`quiet.${end}`)}
            value={quiet[end] ?? ""}
          />
        ))}
        <SaveButton />
      </SettingsForm>
    </section>
  );
};

type Data = { policy: NotificationPolicy; quiet: Quiet };

export const notificationSettings: Page<Data> = {
  path: "/notifications/settings",
  isForMembers: true,
  load: async ({ get }) => {
    const [policy, { body }] = await Promise.all([
      loadPolicy(get),
      get<Record<string, string | null>>("/api/v1/preferences"),
    ]);
    const { time_zone: zone = null } = body;
    const from = body["notifying:quiet_from"] ?? null;
    const until = body["notifying:quiet_until"] ?? null;
    return { policy, quiet: { from, until, zone } };
  },
  View: ({ data }) => {
    const { t } = useApp();
    return (
      <>
        <ColumnHead title={t("notify.settings")} back />
        <Policy policy={data.policy} />
        <QuietHours quiet={data.quiet} />
        <p class="section">
          <a class="button plain" href="/notifications/clear">
            {t("notify.clear")}
          </a>
        </p>
        <PushPanel />
      </>
    );
  },
  head: (_data, { t }) => ({ title: t("notify.settings"), isHidden: true }),
};

/** Asks before all notifications are cleared. */
export const notificationClear: Page<null> = {
  path: "/notifications/clear",
  isForMembers: true,
  load: async () => null,
  View: () => {
    const { t } = useApp();
    return (
      <>
        <ColumnHead title={t("notify.clear_title")} back />
        <form class="panel" method="post" action="/web/act/notifications/clear">
          <FormFields back="/notifications" />
          <p>{t("notify.clear_question")}</p>
          <Decision back="/notifications" tone="final">
            {t("notify.clear")}
          </Decision>
        </form>
      </>
    );
  },
  head: (_data, { t }) => ({ title: t("notify.clear_title"), isHidden: true }),
};
