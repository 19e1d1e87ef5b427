// Lists what a member does not want to see: muted and blocked people, blocked servers, muted hashtags.

import type { MutedAccount, Tag } from "../api/entities.ts";
import { momentInUtc } from "../text/time.ts";
import { useApp } from "../app.ts";
import { TagName } from "../elements/tag-name.tsx";
import { keepAccount, keepRelationship } from "../store/store.ts";
import type { Relationship } from "../api/entities.ts";
import { More } from "../elements/more.tsx";
import { ActButton } from "../elements/act-button.tsx";
import { UnmuteTag } from "../views/mute-tag.tsx";
import { PersonRow } from "../elements/names.tsx";
import { SettingsForm, TextField } from "../views/settings-form.tsx";
import { SettingsHead, SettingsMenu } from "../views/settings-menu.tsx";
import type { AnyPage, Page } from "./page.ts";

type Next = Record<string, string> | null;
type People = { people: { id: string; until: string | null }[]; next: Next };
type Kind = "mutes" | "blocks";

/** Draws a button that undoes it; the row stays until the page is loaded again, so that this can be taken back. */
const Toggle = ({ id, kind }: { id: string; kind: Kind }) => {
  const { store, t } = useApp();
  const relationship = store.relationships.get(id)?.value;
  const isOn = kind === "mutes" ? relationship?.muting : relationship?.blocking;
  const texts =
    kind === "mutes"
      ? (["settings.unmute", "settings.mute_again"] as const)
      : (["settings.unblock", "settings.block_again"] as const);
  const acts = kind === "mutes" ? ["unmute", "mute"] : ["unblock", "block"];
  const label = t(texts[isOn ? 0 : 1]);
  return (
    <ActButton
      act={acts[isOn ? 0 : 1]!}
      kind="accounts"
      id={id}
      label={label}
      class="button plain small"
    >
      {label}
    </ActButton>
  );
};

export const useUntil = (): ((time: string) => string) => {
  const { locale, t } = useApp();
  return (time) => t("settings.muted_until", { time: momentInUtc(locale, new Date(time)) });
};

const hiddenPeople = (kind: Kind): Page<People> => ({
  path: `/settings/${kind}`,
  isForMembers: true,
  load: async ({ get, store, place }) => {
    const max_id = place.query["max_id"];
    const { body, next } = await get<MutedAccount[]>(`/api/v1/${kind}`, { limit: 40, max_id });
    const people = body.map((account) => ({
      id: keepAccount(store, account),
      until: account.mute_expires_at ?? null,
    }));
    const ids = people.map(({ id }) => id);
    if (ids.length > 0) {
      const { body: relationships } = await get<Relationship[]>("/api/v1/accounts/relationships", {
        id: ids,
      });
      for (const relationship of relationships) keepRelationship(store, relationship);
    }
    return { people, next };
  },
  View: ({ data }) => {
    const { store, t } = useApp();
    const untilText = useUntil();
    return (
      <>
        <SettingsHead title={t(`settings.${kind}`)} />
        {data.people.length === 0 && (
          <div class="empty">
            <p>{t(`settings.${kind}_empty`)}</p>
          </div>
        )}
        {data.people.length > 0 && (
          <ul class="feed settings-list">
            {data.people.map((each) => (
              <li key={each.id} class="settings-person">
                <PersonRow account={store.accounts.get(each.id)!.value} />
                {each.until && <span class="soft small">{untilText(each.until)}</span>}
                <Toggle id={each.id} kind={kind} />
              </li>
            ))}
          </ul>
        )}
        <More next={data.next} text="settings.more" />
      </>
    );
  },
  Menu: SettingsMenu,
  head: (_data, { t }) => ({ title: t(`settings.${kind}`), isHidden: true }),
});

type Domains = { domains: string[]; next: Next };

const DomainForm = () => {
  const { t } = useApp();
  return (
    <section class="panel">
      <p class="soft small">{t("settings.domain_hint")}</p>
      <SettingsForm action="/web/act/domain_blocks" done={t("settings.domain_blocked")}>
        <TextField name="domain" label={t("settings.domain")} isRequired isExact maxLength={255} />
        <p>
          <button class="button">{t("settings.domain_block")}</button>
        </p>
      </SettingsForm>
    </section>
  );
};

const domainBlocks: Page<Domains> = {
  path: "/settings/domain_blocks",
  isForMembers: true,
  load: async ({ get, place }) => {
    const { body, next } = await get<string[]>("/api/v1/domain_blocks", {
      limit: 100,
      max_id: place.query["max_id"],
    });
    return { domains: body, next };
  },
  View: ({ data }) => {
    const { t } = useApp();
    return (
      <>
        <SettingsHead title={t("settings.domain_blocks")} />
        <DomainForm />
        {data.domains.length === 0 && (
          <div class="empty">
            <p>{t("settings.domain_blocks_empty")}</p>
          </div>
        )}
        {data.domains.length > 0 && (
          <ul class="feed settings-list">
            {data.domains.map((domain) => (
              <li key={domain} class="settings-person">
                <strong>{domain}</strong>
                <SettingsForm
                  action="/web/act/domain_blocks/delete"
                  label={domain}
                  done={t("settings.domain_unblocked", { domain })}
                >
                  <input type="hidden" name="domain" value={domain} />
                  <button class="button plain small">{t("settings.domain_unblock")}</button>
                </SettingsForm>
              </li>
            ))}
          </ul>
        )}
        <More next={data.next} text="settings.more" />
      </>
    );
  },
  Menu: SettingsMenu,
  head: (_data, { t }) => ({ title: t("settings.domain_blocks"), isHidden: true }),
};

type MutedTags = { tags: { name: string; until: string | null }[]; next: Next };

const mutedTags: Page<MutedTags> = {
  path: "/settings/muted_tags",
  isForMembers: true,
  load: async ({ get, place }) => {
    const max_id = place.query["max_id"];
    const { body, next } = await get<Tag[]>("/api/v1/muted_tags", { limit: 100, max_id });
    const tags = body.map(({ name, muting_expires_at: until = null }) => ({ name, until }));
    return { tags, next };
  },
  View: ({ data }) => {
    const { t } = useApp();
    const untilText = useUntil();
    return (
      <>
        <SettingsHead title={t("settings.muted_tags")} />
        {data.tags.length === 0 && (
          <div class="empty">
            <p>{t("settings.muted_tags_empty")}</p>
          </div>
        )}
        {data.tags.length > 0 && (
          <ul class="feed settings-list">
            {data.tags.map(({ name, until }) => (
              <li key={name} class="settings-person">
                <a href={`/tags/${encodeURIComponent(name)}`}>
                  <strong>
                    <TagName name={name} />
                  </strong>
                  {until && <span class="soft small">{untilText(until)}</span>}
                </a>
                <UnmuteTag name={name} />
              </li>
            ))}
          </ul>
        )}
        <More next={data.next} text="settings.more" />
      </>
    );
  },
  Menu: SettingsMenu,
  head: (_data, { t }) => ({ title: t("settings.muted_tags"), isHidden: true }),
};

export const hiddenPages: AnyPage[] = [
  hiddenPeople("mutes"),
  hiddenPeople("blocks"),
  domainBlocks,
  mutedTags,
];
