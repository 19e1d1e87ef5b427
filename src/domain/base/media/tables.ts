// Row types of the media slice.

export type MediaType = "image" | "gifv" | "video" | "audio" | "unknown";

/** An attachment as it is loaded with its status. */
export type MediaView = {
  id: string;
  type: MediaType;
  media_type: string | null;
  /** Addresses of the file; set for remote attachments. */
  url: string | null;
  remote_url: string | null;
  /** Keys of the stored files; set for uploads, null while they are processed. */
  file_key: string | null;
  small_key: string | null;
  /** Bytes; null where unknown. */
  file_size: number | null;
  description: string | null;
  blurhash: string | null;
  meta: Record<string, unknown>;
};

/** A file that a remote status links to. */
export type NewRemoteMedia = {
  type: MediaType;
  media_type: string | null;
  url: string;
  description: string | null;
  blurhash: string | null;
  meta: Record<string, unknown>;
};

type MediaState = "waiting" | "done" | "failed";

/** Names of files in the folder of uploads. */
export type Upload = { file: string; thumbnail: string | null };

/** An upload with the state of its processing. */
export type UploadRow = MediaView & {
  account_id: string;
  status_id: string | null;
  scheduled_id: string | null;
  draft_id: string | null;
  state: MediaState;
  fault: string | null;
  upload: Upload | null;
};

/** Results of processing. */
export type Processed = Pick<
  MediaView,
  "type" | "media_type" | "file_key" | "small_key" | "file_size" | "blurhash" | "meta"
>;
