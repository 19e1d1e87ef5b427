// Whether a member follows a hashtag, as a button.

import { useApp } from "../app.ts";
import { FormFields } from "./form-fields.tsx";

export const FollowTag = ({ name, isFollowing }: { name: string; isFollowing: boolean }) => {
  const { t } = useApp();
  const act = isFollowing ? "unfollow" : "follow";
  return (
    <form
      method="post"
      action={`/web/act/tags/${encodeURIComponent(name)}/${act}`}
      data-act="save"
      data-done=""
    >
      <FormFields />
      <button class={isFollowing ? "button plain small" : "button small"}>{t(`tag.${act}`)}</button>
    </form>
  );
};
