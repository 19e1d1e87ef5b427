// Opens pages from anywhere: in place where the client has them (browser/navigation.ts).

let open = async (url: URL): Promise<void> => location.assign(url);

export const openBy = (how: typeof open): void => void (open = how);

/** Goes to a path of this server; resolves when its page is shown. */
export const openPath = (path: string): Promise<void> => open(new URL(path, location.href));
