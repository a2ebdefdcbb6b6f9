/** The path of the console, with a slash at the end, from the path of any of its pages. */
export function consolePath(pathname: string): string {
  const end = pathname.lastIndexOf("/console");
  return end < 0 ? "/" : `${pathname.slice(0, end)}/console/`;
}

/** The path that the whole service lies under, without a slash at the end. */
export function servicePath(pathname: string): string {
  return consolePath(pathname)
    .replace(/\/console\/$/, "")
    .replace(/\/$/, "");
}

/** An address of the service, whatever prefix a proxy has put before it. */
export function serviceUrl(path: string): string {
  return servicePath(window.location.pathname) + path;
}
