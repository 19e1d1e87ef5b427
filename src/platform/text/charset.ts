// Decodes the bytes of an HTML page by the charset that browsers would find: a byte order mark, the header, a <meta>
// near the beginning, else what the bytes look like. https://html.spec.whatwg.org/#determining-the-character-encoding

/** Bytes that are searched for a <meta>; later ones are ignored. */
const PRESCAN_BYTES = 1024;

const decoderFor = (label: string | undefined): TextDecoder | null => {
  if (!label) return null;
  try {
    return new TextDecoder(label);
  } catch {
    return null;
  }
};

export const byteOrderMark = (bytes: Uint8Array): string | undefined => {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return "utf-8";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  return bytes[0] === 0xff && bytes[1] === 0xfe ? "utf-16le" : undefined;
};

const CHARSET = /charset\s*=\s*["']?\s*([\w.:-]{1,40})/i;
const META = /<meta\s[^>]{0,500}/gi;

/** Returns the charset of a <meta>. UTF-16 cannot be right in a <meta> that was read as ASCII. */
const metaCharset = (bytes: Uint8Array): string | undefined => {
  const start = Buffer.from(bytes.subarray(0, PRESCAN_BYTES)).toString("latin1");
  for (const [meta] of start.matchAll(META)) {
    const label = CHARSET.exec(meta)?.[1];
    if (label) return /^utf-?16/i.test(label) ? "utf-8" : label;
  }
  return undefined;
};

/** Whether bytes are UTF-8. The last character may be cut; any other fault shows that they are not. */
export const looksLikeUtf8 = (bytes: Uint8Array): boolean => {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
};

/**
 * Decodes a page; `contentType` is the header of the response. Never throws: bytes that fit no charset become U+FFFD.
 */
export const decodeHtml = (bytes: Uint8Array, contentType: string): string => {
  const decoder =
    decoderFor(byteOrderMark(bytes)) ??
    decoderFor(CHARSET.exec(contentType)?.[1]) ??
    decoderFor(metaCharset(bytes)) ??
    new TextDecoder(looksLikeUtf8(bytes) ? "utf-8" : "windows-1252");
  return decoder.decode(bytes);
};
