// Lists the accounts that this browser keeps signed in: switching, adding one, signing out of one or all.

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
import { SettingsHead, SettingsMenu } from "../views/settings-menu.tsx";
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

const Accounts = () => {
  const app = useApp();
  const { me, others, linked, place, t } = app;
  if (!me) return null;
  const account = others.find(({ id }) => id === place.query["for"]);
  const isFull = !hasRoom(app);
  return (
    <>
      <SettingsHead title={t("settings.accounts")} />
      {account && <OtherNotification account={account} id={place.query["to"] ?? ""} />}
      <section class="panel">
        <p class="soft">
          {isFull ? t("accounts.full", { count: MAX_ACCOUNTS }) : t("accounts.hint")}
        </p>
        <div class="account-rows">
          <PersonRow account={me}>
            <span class="soft small">{t("accounts.now")}</span>
            <SignOut {...me} />
          </PersonRow>
          {others.map((account) => (
            <PersonRow key={account.id} account={account}>
              <PostForm action={switchPath(account.id)}>
                <button
                  class="button plain small"
                  aria-label={t("accounts.switch_to", { name: `@${account.acct}` })}
                >
                  {t("accounts.switch")}
                </button>
              </PostForm>
              {!linked.includes(account.id) && <SignOut {...account} />}
            </PersonRow>
          ))}
        </div>
        <div class="button-row">
          {!isFull && (
            <a class="button" href={ADD_PATH}>
              {t("accounts.add")}
            </a>
          )}
          <a class="button plain" href="/settings/identities">
            {t("settings.identities")}
          </a>
          {others.length > linked.length && (
            <PostForm action={SIGN_OUT_PATH}>
              <button class="button plain">{t("accounts.sign_out_all")}</button>
            </PostForm>
          )}
        </div>
      </section>
    </>
  );
};

export const accounts: Page<null> = {
  path: "/settings/accounts",
  isForMembers: true,
  load: async () => null,
  View: Accounts,
  Beside: SettingsMenu,
  head: (_data, { t }) => ({ title: t("settings.accounts"), isHidden: true }),
};
