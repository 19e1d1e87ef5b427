// A button that follows or unfollows a hashtag.

import { useApp } from "../app.ts";
import { TagForm } from "./tag-form.tsx";

export const FollowTag = ({ name, isFollowing }: { name: string; isFollowing: boolean }) => {
  const { t } = useApp();
  const act = isFollowing ? "unfollow" : "follow";
  return (
    <TagForm name={name} act={act}>
      <button class={isFollowing ? "button plain small" : "button small"}>{t(`tag.${act}`)}</button>
    </TagForm>
  );
};
