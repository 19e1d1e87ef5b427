// "You", at the end of the bar of phones: one's profile, and the places that have no room in the bar.

import { useApp } from "../app.ts";
import { Icon } from "../elements/icons.tsx";
import { Avatar, Name, fullHandle, profilePath } from "../elements/names.tsx";
import { signOuts } from "../views/account-menu.ts";
import { BANDS, ColumnHead, PlaceCount, placesOf } from "../views/frame.tsx";
import type { Page } from "./page.ts";

const Profile = () => {
  const { me, site, t } = useApp();
  const { statuses_count: posts, following_count: following, followers_count: followers } = me!;
  const path = profilePath(me!);
  return (
    <section class="panel you-profile">
      <Avatar account={me!} size={56} />
      <a class="person-names" href={path}>
        <strong>
          <Name account={me!} />
        </strong>
        <span class="handle">{fullHandle(me!, site.domain)}</span>
        <span class="soft small">
          {[
            t("profile.count_posts", { count: posts }),
            t("profile.count_following", { count: following }),
            t("profile.count_followers", { count: followers }),
          ].join(" · ")}
        </span>
      </a>
      <p class="button-row">
        <a class="button plain" href={path}>
          {t("you.view_profile")}
        </a>
        <a class="button plain" href="/settings/profile">
          {t("profile.edit")}
        </a>
      </p>
    </section>
  );
};

const Places = ({ band }: { band: (typeof BANDS)[number] }) => {
  const { me, t } = useApp();
  return (
    <section class="panel settings-group">
      {placesOf(me!)
        .filter((place) => place.band === band)
        .map(({ path, icon, text }) => (
          <a key={path} class="settings-row" href={path}>
            <Icon name={icon} />
            <span>{t(text)}</span>
            <PlaceCount icon={icon} />
            <Icon name="forward" />
          </a>
        ))}
    </section>
  );
};

const SignOut = () => {
  const app = useApp();
  return (
    <section class="panel settings-group">
      {signOuts(app).map(({ post, text }) => (
        <form key={post} method="post" action={post}>
          <input type="hidden" name="form_token" value={app.formToken} />
          <button class="settings-row">
            <Icon name="out" />
            <span>{text}</span>
          </button>
        </form>
      ))}
    </section>
  );
};

export const you: Page<null> = {
  path: "/you",
  isForMembers: true,
  load: async () => null,
  View: () => {
    const { t } = useApp();
    return (
      <>
        <ColumnHead title={t("nav.you")}>
          <a class="button plain small" href="/settings/accounts">
            {t("accounts.switch")}
          </a>
        </ColumnHead>
        <Profile />
        {BANDS.map((band) => (
          <Places key={band} band={band} />
        ))}
        <SignOut />
      </>
    );
  },
  head: (_data, { t }) => ({ title: t("nav.you"), isHidden: true }),
};
