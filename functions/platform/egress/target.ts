import { isIP } from 'node:net';
import { isPublicAddress } from './address.ts';

/** Which destinations are allowed in addition to public addresses on port 443. */
export interface UrlPolicy {
  readonly ports: readonly number[];
  /** `host:port` of receivers whose name and addresses are not checked. Only for tests and local runs. */
  readonly allowHosts: readonly string[];
}

/** The destination of a call, parsed from a URL. */
export interface Target {
  /** The URL as the parser normalizes it. Only this form is stored and used, so two parsers cannot read it differently. */
  readonly href: string;
  /** A host name without its trailing dot, or an address without brackets. */
  readonly host: string;
  readonly port: number;
  /** Path and query. */
  readonly path: string;
  /** Whether `allowHosts` names it. */
  readonly trusted: boolean;
}

/** Why the text of a URL is rejected, regardless of what its host resolves to. */
export type UrlRejectionReason =
  | 'malformed'
  | 'hidden_characters'
  | 'not_https'
  | 'user_information'
  | 'fragment'
  | 'port'
  | 'name'
  | 'address';

export type CheckedUrl =
  | { readonly kind: 'accepted'; readonly target: Target }
  | { readonly kind: 'rejected'; readonly reason: UrlRejectionReason };

const HTTPS_PORT = 443;
const URL_LENGTH_MAXIMUM = 2_048;

/** URL parsers drop control and invisible characters, read a backslash as a slash, and treat spaces differently. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Z}\\]/u;
/** Requires both slashes and a host, because parsers repair missing parts in different ways. */
const HTTPS_AUTHORITY = /^https:\/\/([^/?#]+)/i;
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;
const NAME_LENGTH_MAXIMUM = 253;

/**
 * Top-level names that are used only in private networks (RFC 6761, 6762, 7686, 8375, ICANN's `internal`, and by custom).
 */
const INTERNAL_SUFFIXES: ReadonlySet<string> = new Set([
  'arpa',
  'corp',
  'home',
  'internal',
  'intranet',
  'lan',
  'local',
  'localdomain',
  'localhost',
  'onion',
  'private',
]);

const isPublicName = (host: string): boolean => {
  const labels = host.split('.');
  return (
    labels.length > 1 &&
    host.length <= NAME_LENGTH_MAXIMUM &&
    labels.every((label) => LABEL.test(label)) &&
    !INTERNAL_SUFFIXES.has(labels.at(-1) ?? '')
  );
};

/** The host and port of an untrusted URL, for a log: without user information, path and query. Null without a host. */
export const hostOf = (text: string): string | null => {
  const host = URL.canParse(text) ? new URL(text).host : '';
  return host === '' ? null : host.slice(0, NAME_LENGTH_MAXIMUM);
};

const rejected = (reason: UrlRejectionReason): CheckedUrl => ({ kind: 'rejected', reason });

/**
 * Checks the text of an untrusted URL. A host name must also resolve to public addresses only, which `resolveTarget`
 * checks. Never throws.
 */
export const checkUrl = (text: string, policy: UrlPolicy): CheckedUrl => {
  if (HIDDEN.test(text)) return rejected('hidden_characters');
  if (text.length > URL_LENGTH_MAXIMUM || !URL.canParse(text)) return rejected('malformed');
  const url = new URL(text);
  if (url.protocol !== 'https:') return rejected('not_https');
  const authority = HTTPS_AUTHORITY.exec(text)?.[1];
  if (authority === undefined) return rejected('malformed');
  if (authority.includes('@')) return rejected('user_information');
  if (text.includes('#')) return rejected('fragment');

  url.hostname = url.hostname.replace(/\.$/, '');
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const port = url.port === '' ? HTTPS_PORT : Number(url.port);
  const trusted = policy.allowHosts.includes(`${url.hostname}:${port}`);
  const target = { href: url.href, host, port, path: url.pathname + url.search, trusted };
  if (trusted) return { kind: 'accepted', target };
  if (isIP(host) === 0 && !isPublicName(host)) return rejected('name');
  if (isIP(host) !== 0 && !isPublicAddress(host)) return rejected('address');
  if (port !== HTTPS_PORT && !policy.ports.includes(port)) return rejected('port');
  return { kind: 'accepted', target };
};
