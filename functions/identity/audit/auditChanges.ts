import {
  AUDIT_CHANGES_MAXIMUM,
  AUDIT_VALUE_MAXIMUM,
  type AuditChange,
  type AuditEntry,
} from '../../../schemas/identity/audit.ts';
import { confidentialReason, TEXT_WORDS_MAXIMUM } from '../../../schemas/labels/confidentialText.ts';
import { sha256Of } from '../../platform/shared/hash.ts';

/** A document before and after a change. Null where there is none. */
export interface DocumentChange {
  readonly before: unknown;
  readonly after: unknown;
}

/** Shown instead of a value that must not be read from the log. */
export const REDACTED = '[redacted]';

/** Members that hold a secret, in any form: a hash or a ciphertext also tells whether two are equal. */
const SECRET = /secret|sealed|credential|password|(?:^|_)(?:hash|salt|token|challenge)s?$/i;
/** When something happened to a secret. */
const INSTANT = /_(?:at|until)$/;
/** What the entry says itself, or what follows from it: its resource, actor and time. */
const IMPLIED: ReadonlySet<string> = new Set([
  'id',
  'key_id',
  'client_id',
  'tenant_id',
  'tag',
  'created_at',
  'created_by',
  'updated_at',
  'changed_by',
  'authorized_by',
]);

type Members = Readonly<Record<string, unknown>>;
const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isAbsent = (value: unknown): boolean => value === undefined || value === null;
const textOf = (value: unknown): string => JSON.stringify(value) ?? 'null';

/** Paths and queries of webhook and chat addresses are secrets. A digest tells whether two of them are equal. */
const urlText = (text: string): string => {
  const url = URL.parse(text);
  if (url === null) return REDACTED;
  const isPlain = `${url.origin}/` === url.href;
  return isPlain
    ? url.origin
    : `${url.origin}/${REDACTED}#${sha256Of('audit url', text).toString('hex').slice(0, 8)}`;
};

const shownText = (value: unknown): string | null => {
  if (isAbsent(value)) return null;
  if (typeof value === 'string' && /^https?:/i.test(value)) return urlText(value);
  if (Array.isArray(value)) return bounded(textOf(value.map(shownText)));
  const text = typeof value === 'string' ? value : textOf(value);
  return confidentialReason(text, TEXT_WORDS_MAXIMUM) === null ? bounded(text) : REDACTED;
};
const bounded = (text: string): string =>
  text.length > AUDIT_VALUE_MAXIMUM ? `${text.slice(0, AUDIT_VALUE_MAXIMUM - 1)}…` : text;

const isSecret = (name: string): boolean => SECRET.test(name) && !INSTANT.test(name);
const redactedText = (value: unknown): string | null => (isAbsent(value) ? null : REDACTED);

/** The items of two lists that the other one lacks. So an item that others precede is not a change of all that follow it. */
const unequalItems = (before: readonly unknown[], after: readonly unknown[]) => {
  const without = (items: readonly unknown[], others: readonly unknown[]) => {
    const counts = new Map<string, number>();
    for (const other of others) counts.set(textOf(other), (counts.get(textOf(other)) ?? 0) + 1);
    return [...items.entries()].filter(([, item]) => {
      const left = counts.get(textOf(item)) ?? 0;
      counts.set(textOf(item), left - 1);
      return left <= 0;
    });
  };
  return { removed: without(before, after), added: without(after, before) };
};

const changesOfList = (
  before: readonly unknown[],
  after: readonly unknown[],
  pointer: string,
): AuditChange[] => {
  const { removed, added } = unequalItems(before, after);
  return Array.from({ length: Math.max(removed.length, added.length) }, (_, index) => index).flatMap(
    (index) => {
      const [position = index, now] = added[index] ?? [removed[index]?.[0], undefined];
      return changesOf(removed[index]?.[1], now, `${pointer}/${position}`);
    },
  );
};

const changesOfMembers = (before: Members, after: Members, pointer: string): AuditChange[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].sort().flatMap((name) => {
    if (IMPLIED.has(name)) return [];
    const [one, other] = [before[name], after[name]];
    const at = `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    if (!isSecret(name)) return changesOf(one, other, at);
    const isEqual = textOf(one) === textOf(other);
    return isEqual ? [] : [{ pointer: at, before: redactedText(one), after: redactedText(other) }];
  });

/** The members in which two documents differ, down to single values. */
const changesOf = (before: unknown, after: unknown, pointer: string): AuditChange[] => {
  const both = [before, after];
  if (both.every((value) => isAbsent(value) || isMembers(value)))
    return changesOfMembers(isMembers(before) ? before : {}, isMembers(after) ? after : {}, pointer);
  if (both.every((value) => isAbsent(value) || Array.isArray(value)) && both.flat().some(isMembers))
    return changesOfList(Array.isArray(before) ? before : [], Array.isArray(after) ? after : [], pointer);
  if (textOf(before) === textOf(after)) return [];
  return [{ pointer, before: shownText(before), after: shownText(after) }];
};

/**
 * What a change did to a document, without secrets, and bounded: the first members that changed, and the number of the
 * others.
 */
export const auditChanges = ({
  before,
  after,
}: DocumentChange): Pick<AuditEntry, 'changes' | 'more_changes'> => {
  const all = changesOf(before, after, '');
  const changes = all.slice(0, AUDIT_CHANGES_MAXIMUM);
  return { changes, more_changes: all.length - changes.length };
};
