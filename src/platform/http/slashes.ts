// Addresses of the API in which slashes are doubled.

/**
 * Scripts put `/api/v1/…` after an address that ends with a slash. Rails takes several slashes for one; here those of
 * the API alone, so that no other path has two addresses.
 */
export const withoutDoubleSlashes = ({ url = "/" }: { url?: string }): string => {
  if (!url.includes("//")) return url;
  const [path = "", ...query] = url.split("?");
  if (!/^\/+(?:api|oauth)\//.test(path)) return url;
  return [path.replaceAll(/\/{2,}/g, "/"), ...query].join("?");
};
