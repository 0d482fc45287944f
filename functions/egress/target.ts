import { isIP } from 'node:net';
import { isPublicAddress } from './address.ts';

/** What may be called beyond public addresses on port 443. */
export interface UrlPolicy {
  readonly ports: readonly number[];
  /** `host:port` of receivers whose name and addresses are not judged: for tests and one's own machine, never a service. */
  readonly allowHosts: readonly string[];
}

/** Where a call goes: what is kept of a URL, and what is dialled. */
export interface Target {
  /** As the parser spells it: the text that came is never parsed again, by us or by others. */
  readonly href: string;
  /** A name without its last dot, or an address without brackets. */
  readonly host: string;
  readonly port: number;
  /** Path and query. */
  readonly path: string;
  /** Named in `allowHosts`. */
  readonly trusted: boolean;
}

/** Why a URL is not called, whatever it resolves to. */
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

/** Parsers drop controls and invisible characters, read a backslash as a slash, and disagree about spaces. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Z}\\]/u;
/** With both slashes, and a host behind them: parsers mend what is missing, each in its own way. */
const HTTPS_AUTHORITY = /^https:\/\/([^/?#]+)/i;
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;
const NAME_LENGTH_MAXIMUM = 253;

/** Top-level names that only private networks answer for (RFC 6761, 6762, 7686, 8375, ICANN's `internal`, and custom). */
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

const rejected = (reason: UrlRejectionReason): CheckedUrl => ({ kind: 'rejected', reason });

/**
 * Whether a URL that a stranger wrote may be called, as far as its text tells. A name still has to resolve to public
 * addresses only. Never throws.
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
