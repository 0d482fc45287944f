import http from 'node:http';

/** Requests to this machine stay on it: over http, a proxy could read their credential. */
const DIRECT = 'localhost,127.0.0.1,[::1]';

/**
 * Makes `fetch` follow HTTPS_PROXY and NO_PROXY. Returns what ends that. `warn` gets the reason if a proxy cannot be used: a
 * request that goes around it would hang in many networks.
 */
export const useProxy = (
  env: Readonly<Record<string, string | undefined>>,
  warn: (reason: string) => void,
): (() => void) => {
  const proxy = env['https_proxy'] || env['HTTPS_PROXY'];
  const none = (): void => undefined;
  if (!proxy) return none;
  // Not in each version of Node that runs the package.
  if (typeof http.setGlobalProxyFromEnv !== 'function') {
    if (env['NODE_USE_ENV_PROXY'] !== '1')
      warn('HTTPS_PROXY is ignored by this version of Node. Use 24.14 or later.');
    return none;
  }
  const others = [env['no_proxy'] || env['NO_PROXY'], DIRECT].filter(Boolean).join(',');
  try {
    return http.setGlobalProxyFromEnv({ HTTPS_PROXY: proxy, NO_PROXY: others });
  } catch {
    // Not in the message: a proxy URL can contain a password.
    warn('HTTPS_PROXY is ignored, because it is not a URL.');
    return none;
  }
};
