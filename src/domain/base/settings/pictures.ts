// Describes the pictures of the server: its banner, the icon that apps and browsers show, and the logo beside its name.

import type { FullConfig } from "../../../platform/config/config.ts";
import type { PictureOutput } from "../../../platform/pictures/task.ts";
import { fileUrl } from "../../../platform/storage/index.ts";
import type { PictureKind, Settings, SitePicture } from "./settings.ts";

/** Sides of the square icons in pixels, those that assets/ has of the built-in icon. */
export const ICON_SIZES = [48, 96, 192, 512] as const;

const BANNER = { width: 1200, height: 630 };
const LOGO_SIDE = 256;

type Output = Omit<PictureOutput, "path">;

/** Lists the pictures made from an upload, the largest first, since the others are made from it. */
export const PICTURE_OUTPUTS: Record<PictureKind, readonly Output[]> = {
  banner: [4, 1].map((times) => ({ pixels: BANNER.width * BANNER.height * times, still: true })),
  icon: ICON_SIZES.toReversed().map((side) => ({
    cover: { width: side, height: side },
    still: true,
    as: "png" as const,
  })),
  logo: [{ pixels: LOGO_SIDE ** 2, still: true, as: "png" }],
};

export const PICTURE_KINDS = ["banner", "icon", "logo"] as const satisfies PictureKind[];

export const pictureOf = (set: Partial<Settings>, kind: PictureKind): SitePicture | null =>
  set[`${kind}_picture`] ?? null;

type Site = FullConfig["site"];

/** Returns the addresses of the banner and of one with more pixels; null where none was uploaded. */
export const bannerOf = (set: Partial<Settings>, site: Site) => {
  const picture = pictureOf(set, "banner");
  if (!picture) return null;
  const [normal, large] = picture.files.map(({ key }) => fileUrl(site, key));
  return {
    url: normal!,
    blurhash: picture.blurhash,
    versions: { "@1x": normal!, "@2x": large ?? normal! },
  };
};

/** Returns the addresses of the square icons, of the uploaded one or else of the built-in one. */
export const iconsOf = (set: Partial<Settings>, site: Site): { src: string; side: number }[] => {
  const picture = pictureOf(set, "icon");
  return ICON_SIZES.map((side, place) => {
    const file = picture?.files[place];
    return { side, src: file ? fileUrl(site, file.key) : `${site.origin}/icons/${side}.png` };
  });
};
