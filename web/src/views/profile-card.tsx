// Draws who somebody is: pictures, name, bio, fields, counts, and what the viewer can do.

import type { Account, Field } from "../api/entities.ts";
import { useApp } from "../app.ts";
import { RichText, withEmojis } from "../text/rich-text.tsx";
import { day } from "../text/time.ts";
import { FollowButton } from "./follow-button.tsx";
import { TITLE } from "./frame.tsx";
import { Icon } from "../elements/icons.tsx";
import { MenuButton } from "../elements/menu.tsx";
import { Name, fullHandle, profilePath, shownName } from "../elements/names.tsx";
import { personMenu } from "./person-menu.ts";
import { Asks, Familiar, Note, Standing } from "./profile-about.tsx";
import { Sentence } from "../elements/sentence.tsx";

const FieldRow = ({ field, account }: { field: Field; account: Account }) => {
  const { t, locale } = useApp();
  return (
    <div class={field.verified_at ? "verified" : undefined}>
      <dt>{withEmojis(field.name, account.emojis)}</dt>
      <dd>
        {field.verified_at && (
          <span title={t("profile.verified", { date: day(locale, field.verified_at) })}>
            <Icon name="check" />
          </span>
        )}
        <RichText html={field.value} emojis={account.emojis} />
      </dd>
    </div>
  );
};

const Badges = ({ account }: { account: Account }) => {
  const { t } = useApp();
  return (
    <>
      {account.bot && <span class="badge">{t("profile.bot")}</span>}
      {account.group && <span class="badge">{t("profile.group")}</span>}
      {account.roles?.map(({ id, name }) => (
        <span key={id} class="badge">
          {name}
        </span>
      ))}
    </>
  );
};

export const Actions = ({ account }: { account: Account }) => {
  const { me, t } = useApp();
  if (me?.id === account.id) {
    return (
      <a class="button plain" href="/settings/profile">
        {t("profile.edit")}
      </a>
    );
  }
  if (me) return <FollowButton account={account} />;
  return (
    <a class="button" href={`/interact?acct=${encodeURIComponent(account.acct)}`} rel="nofollow">
      {t("profile.follow")}
    </a>
  );
};

const More = ({ account }: { account: Account }) => {
  const app = useApp();
  if (!app.me) return null;
  return (
    <MenuButton
      class="button plain menu-button"
      label={app.t("menu.person", { name: shownName(account) })}
      items={() => personMenu(app, account)}
      href={`${profilePath(account)}?menu`}
    >
      <Icon name="more" />
    </MenuButton>
  );
};

const Figures = ({ account }: { account: Account }) => {
  const { t, locale } = useApp();
  const path = profilePath(account);
  return (
    <p class="figures">
      <a href={path}>{t("profile.count_posts", { count: account.statuses_count })}</a>
      <a href={`${path}/following`}>
        {t("profile.count_following", { count: account.following_count })}
      </a>
      <a href={`${path}/followers`}>
        {t("profile.count_followers", { count: account.followers_count })}
      </a>
      <span class="soft">{t("profile.joined", { date: day(locale, account.created_at) })}</span>
    </p>
  );
};

type CardProps = {
  account: Account;
  /** Followers whom the viewer knows. */
  familiar?: readonly string[];
};

/** Draws the profile picture, which opens where it is somebody's own. */
const ProfilePicture = ({ account }: { account: Account }) => {
  const { t } = useApp();
  const picture = (
    <img
      class="profile-avatar"
      src={account.avatar}
      alt={account.avatar_description ?? ""}
      width="96"
      height="96"
    />
  );
  if (account.avatar.endsWith("/avatars/missing.png")) return picture;
  return (
    <a href={account.avatar} data-media="" aria-label={t("profile.avatar")}>
      {picture}
    </a>
  );
};

export const ProfileCard = ({ account, familiar = [] }: CardProps) => {
  const { me, site, store, t } = useApp();
  // What can be done is not known before the relationship is.
  const hasActions = !me || me.id === account.id || store.relationships.has(account.id);
  const hasHeader = !account.header.endsWith("/headers/missing.png");
  return (
    <section class="profile">
      <a
        class="icon-button profile-back"
        href="/home"
        data-act="back"
        aria-label={t("nav.back")}
        title={t("nav.back")}
      >
        <Icon name="back" />
      </a>
      <div class="profile-header">
        {hasHeader && (
          <a href={account.header} data-media="" aria-label={t("profile.header")}>
            <img
              src={account.header}
              alt={account.header_description ?? ""}
              width="1500"
              height="500"
            />
          </a>
        )}
      </div>
      <div class="profile-top">
        <ProfilePicture account={account} />
        <div class="profile-actions">
          {hasActions && (
            <>
              <More account={account} />
              <Actions account={account} />
            </>
          )}
        </div>
      </div>
      <h1 id={TITLE}>
        <Name account={account} />
      </h1>
      <p class="handle">
        <bdi>{fullHandle(account, site.domain)}</bdi> {account.locked && <Icon name="lock" />}{" "}
        <Badges account={account} />
        <Standing account={account} />
      </p>
      <Asks account={account} />
      {account.memorial && <p class="notice">{t("profile.memorial")}</p>}
      {account.moved && (
        <p class="notice">
          <Sentence
            text="profile.moved"
            values={{ name: shownName(account) }}
            elements={{
              account: (
                <a href={profilePath(account.moved)}>{fullHandle(account.moved, site.domain)}</a>
              ),
            }}
          />
        </p>
      )}
      <div class="text bio" dir="auto">
        <RichText html={account.note} emojis={account.emojis} />
      </div>
      {account.fields.length > 0 && (
        <dl class="fields">
          {account.fields.map((field, index) => (
            <FieldRow key={index} field={field} account={account} />
          ))}
        </dl>
      )}
      {account.email_subscriptions && !me && (
        <p>
          <a href={`${profilePath(account)}/subscribe`} rel="nofollow">
            {t("profile.by_email")}
          </a>
        </p>
      )}
      <Note account={account} />
      <Familiar ids={familiar} />
      <Figures account={account} />
    </section>
  );
};
