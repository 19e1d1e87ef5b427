// Looks whether the server answers: a browser is online as soon as it has any network, also one without a way to it.

/** Loads the document again, or what is given, if the server answers. */
export const reloadIfReachable = (reload: () => unknown = () => location.reload()): void => {
  const looking = fetch(location.href, { method: "HEAD", cache: "no-store" });
  looking.then(({ status }) => status < 500 && reload()).catch(() => {});
};
