// Makes SQL of attachments for the queries of other slices.

import type { Db } from "../../../platform/db/index.ts";

/** Makes an expression: the attachment `ma` as the JSON of a MediaView. */
export const mediaJson = (db: Db) => db`json_build_object(
  'id', ma.id::text, 'type', ma.type, 'media_type', ma.media_type, 'url', ma.url,
  'remote_url', ma.remote_url, 'file_key', ma.file_key, 'small_key', ma.small_key,
  'file_size', ma.file_size,  'description', ma.description, 'blurhash', ma.blurhash, 'meta', ma.meta
)`;
