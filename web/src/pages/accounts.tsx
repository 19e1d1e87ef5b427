// Says in one place how several accounts are used: those that this browser keeps signed in (switching, adding one,
// signing out of one or all), linked and shared ones, and those on other servers.

import type { ComponentChildren } from "preact";
import type { Account } from "../api/entities.ts";
import { useApp } from "../app.ts";
import {
  ADD_PATH,
  MAX_ACCOUNTS,
  SIGN_OUT_PATH,
  hasRoom,
  leavePath,
  switchPath,
} from "../views/account-menu.ts";
import { PersonRow } from "../elements/names.tsx";
import type { Entry } from "../views/settings-menu.tsx";
import type { Key } from "../texts/texts.ts";
import { ACCOUNT_PAGES, SettingsHead, SettingsMenu } from "../views/settings-menu.tsx";
import { Icon } from "../elements/icons.tsx";
import type { Page } from "./page.ts";

const PostForm = ({ action, children }: { action: string; children: ComponentChildren }) => {
  const { formToken } = useApp();
  return (
    <form method="post" action={action}>
      <input type="hidden" name="form_token" value={formToken} />
      {children}
    </form>
  );
};

const SignOut = ({ id, acct }: { id: string; acct: string }) => {
  const { t } = useApp();
  const label = t("accounts.sign_out_of", { name: `@${acct}` });
  return (
    <PostForm action={leavePath(id)}>
      <button class="icon-button" aria-label={label} title={label}>
        <Icon name="out" />
      </button>
    </PostForm>
  );
};

/** Says that a push notification was for another account than the present one. */
const OtherNotification = ({ account, id }: { account: Account; id: string }) => {
  const { t } = useApp();
  const name = `@${account.acct}`;
  return (
    <section class="panel">
      <p>{t("accounts.other_notification", { name })}</p>
      <PostForm action={switchPath(account.id)}>
        <input type="hidden" name="return_to" value={`/notifications/${id}`} />
        <button class="button">{t("accounts.switch_to", { name })}</button>
      </PostForm>
    </section>
  );
};

const Switch = ({ account }: { account: Account }) => {
  const { t } = useApp();
  return (
    <PostForm action={switchPath(account.id)}>
      <button
        class="button plain small"
        aria-label={t("accounts.switch_to", { name: `@${account.acct}` })}
      >
        {t("accounts.switch")}
      </button>
    </PostForm>
  );
};

/** Lists who is signed in in this browser. */
const SignedIn = () => {
  const app = useApp();
  const { others, linked, t } = app;
  const me = app.me!;
  const isFull = !hasRoom(app);
  const signedIn = others.filter(({ id }) => !linked.includes(id));
  return (
    <section class="panel">
      <h2>{t("accounts.here")}</h2>
      <p class="soft">
        {isFull ? t("accounts.full", { count: MAX_ACCOUNTS }) : t("accounts.hint")}
      </p>
      <div class="account-rows">
        <PersonRow account={me}>
          <span class="soft small">{t("accounts.now")}</span>
          <SignOut {...me} />
        </PersonRow>
        {signedIn.map((account) => (
          <PersonRow key={account.id} account={account}>
            <Switch account={account} />
            <SignOut {...account} />
          </PersonRow>
        ))}
      </div>
      <div class="button-row">
        {!isFull && (
          <a class="button" href={ADD_PATH}>
            {t("accounts.add")}
          </a>
        )}
        {signedIn.length > 0 && (
          <PostForm action={SIGN_OUT_PATH}>
            <button class="button plain">{t("accounts.sign_out_all")}</button>
          </PostForm>
        )}
      </div>
    </section>
  );
};

const LinkTo = ({ page: { path, text }, label = text }: { page: Entry; label?: Key }) => {
  const { t } = useApp();
  return (
    <a class="button plain" href={path}>
      {t(label)}
    </a>
  );
};

/** Lists the accounts that need no password; only the owners of this one link others. */
const Linked = () => {
  const { others, linked, isAuthor, t } = useApp();
  const reachable = others.filter(({ id }) => linked.includes(id));
  if (isAuthor && reachable.length === 0) return null;
  return (
    <section class="panel">
      <h2>{t("settings.identities")}</h2>
      {!isAuthor && <p class="soft">{t("accounts.linked_about")}</p>}
      {reachable.length > 0 && (
        <div class="account-rows">
          {reachable.map((account) => (
            <PersonRow key={account.id} account={account}>
              <Switch account={account} />
            </PersonRow>
          ))}
        </div>
      )}
      {!isAuthor && <LinkTo page={ACCOUNT_PAGES.identities} label="accounts.link" />}
    </section>
  );
};

const OwnersTies = () => {
  const { t } = useApp();
  const { sharing, aliases, migration } = ACCOUNT_PAGES;
  return (
    <>
      <section class="panel">
        <h2>{t("settings.sharing")}</h2>
        <p class="soft">{t("accounts.sharing_about")}</p>
        <LinkTo page={sharing} label="accounts.share" />
      </section>
      <section class="panel">
        <h2>{t("accounts.other_servers")}</h2>
        <p class="soft">{t("accounts.other_servers_about")}</p>
        <div class="button-row">
          <LinkTo page={migration} />
          <LinkTo page={aliases} />
        </div>
      </section>
    </>
  );
};

/** Says what else an account can have to do with others, and leads there. */
const Ties = () => {
  const { isAuthor } = useApp();
  return (
    <>
      <Linked />
      {!isAuthor && <OwnersTies />}
    </>
  );
};

const Accounts = () => {
  const { others, place, t } = useApp();
  const account = others.find(({ id }) => id === place.query["for"]);
  return (
    <>
      <SettingsHead title={t("settings.accounts")} />
      {account && <OtherNotification account={account} id={place.query["to"] ?? ""} />}
      <SignedIn />
      <Ties />
    </>
  );
};

export const accounts: Page<null> = {
  path: "/settings/accounts",
  isForMembers: true,
  load: async () => null,
  View: Accounts,
  Menu: SettingsMenu,
  head: (_data, { t }) => ({ title: t("settings.accounts"), isHidden: true }),
};
