const START_PATH = '/console';
/** Where the provider sends the browser after a sign-out. Registered there, so it never changes. */
export const SIGNED_OUT_PATH = `${START_PATH}/signed-out`;

const LENGTH_MAXIMUM = 2_000;

/**
 * The path of the console to return to after a sign-in. Everything else becomes the start page: a path of another folder
 * or host would make the sign-in an open redirector. Backslashes and control characters are not in the allowed set,
 * because browsers read `/\\host` as a host.
 */
export const toReturnPath = (wanted: string | undefined): string =>
  wanted !== undefined &&
  wanted.length <= LENGTH_MAXIMUM &&
  wanted.startsWith(`${START_PATH}/`) &&
  /^[\w\-./~%!$&'()*+,;=:@?[\]]+$/.test(wanted) &&
  new URL(wanted, 'https://host').pathname.startsWith(`${START_PATH}/`)
    ? wanted
    : START_PATH;

/** `path` of the console, with the reason for which the sign-in failed. It offers a new sign-in, which returns to `path`. */
export const failurePath = (path: string, error: string): string => {
  const { pathname, searchParams } = new URL(path, 'https://host');
  searchParams.set('sign_in_error', error);
  return `${pathname}?${searchParams}`;
};
