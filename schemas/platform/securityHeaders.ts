/** Nothing of a response may be loaded, run or framed by a browser. JSON needs none of it. */
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/**
 * Two years, as the HSTS preload list recommends. Without subdomains: those of a custom domain may belong to other services.
 */
const HSTS = 'max-age=63072000';

/**
 * The security headers of every response of the service and of the local gateway (OWASP REST Security Cheat Sheet).
 * `Strict-Transport-Security` is sent only if the service is reached over HTTPS: browsers ignore it over plain HTTP
 * (RFC 6797 §8.1). A response with another content type than JSON may replace the content security policy.
 */
export const securityHeaders = (baseUrl: string): Readonly<Record<string, string>> => ({
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  ...(baseUrl.startsWith('https://') && { 'strict-transport-security': HSTS }),
  'x-content-type-options': 'nosniff',
});
