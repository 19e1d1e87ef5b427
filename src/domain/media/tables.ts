// Row types of the media slice.

export type MediaView = {
  id: string;
  type: "image" | "gifv" | "video" | "audio" | "unknown";
  media_type: string | null;
  url: string;
  remote_url: string | null;
  description: string | null;
  blurhash: string | null;
  meta: Record<string, unknown>;
};

/** What a remote status links to. */
export type NewRemoteMedia = {
  type: MediaView["type"];
  media_type: string | null;
  url: string;
  description: string | null;
  blurhash: string | null;
  meta: Record<string, unknown>;
};
