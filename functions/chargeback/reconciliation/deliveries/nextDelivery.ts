import {
  DELIVERY_ACCOUNTS_MAXIMUM,
  DELIVERY_PAGES_MAXIMUM,
  type DeclaredDelivery,
} from '../../../../schemas/chargeback/billDeliveries.ts';
import { ProblemError } from '../../../platform/shared/problem.ts';
import type { BillLine } from '../rows/bill.ts';
import {
  billersOf,
  contentOf,
  type DeliveryScope,
  daysOf,
  pageOf,
  type StoredDelivery,
  scopeOf,
} from './delivery.ts';

/** The rows of a request. `at` is when it first arrived, in epoch milliseconds. */
export interface SentRows {
  readonly lines: readonly BillLine[];
  readonly rejected: number;
  readonly by: string;
  readonly at: number;
}

const conflict = (detail: string) => new ProblemError('CONFLICT', detail);

const invalid = (detail: string) => new ProblemError('VALIDATION_FAILED', detail);

/** All rows of a delivery are read together, and one document lists its pages and accounts. */
const requireStorable = (delivery: StoredDelivery): void => {
  if (Object.keys(delivery.pages).length > DELIVERY_PAGES_MAXIMUM) {
    throw invalid(`A delivery has at most ${DELIVERY_PAGES_MAXIMUM} requests. Aggregate the rows.`);
  }
  if (billersOf(delivery).length > DELIVERY_ACCOUNTS_MAXIMUM) {
    throw invalid(
      `The rows name more than ${DELIVERY_ACCOUNTS_MAXIMUM} billing accounts. Send a delivery for each account.`,
    );
  }
};

/** A delivery after a request, the page of its rows, and whether the request has changed anything. */
interface NextDelivery {
  readonly next: StoredDelivery;
  /** Null without rows. */
  readonly page: string | null;
  readonly isChanged: boolean;
}

/** The id of the delivery that rows without one are: the same rows are the same delivery. */
export const mergedId = (lines: readonly BillLine[]): string => `rows-${contentOf(lines)}`;

/** The delivery of rows that were sent without one. `current` is that of the same rows: sent again, they are the newest. */
export const mergedDelivery = (
  current: StoredDelivery | null,
  { lines, rejected, by, at }: SentRows,
): NextDelivery => {
  const page = contentOf(lines);
  const next: StoredDelivery = {
    id: mergedId(lines),
    mode: 'merge',
    provider: null,
    account: null,
    ...daysOf(lines),
    state: 'complete',
    pages: { [page]: pageOf(lines, rejected) },
    at: Math.max(at, current?.at ?? 0),
    by,
    source_id: null,
  };
  requireStorable(next);
  return { next, page, isChanged: next.at !== current?.at };
};

const SCOPE = ['provider', 'account', 'from', 'to'] as const;
const hasScope = (delivery: StoredDelivery, scope: DeliveryScope): boolean =>
  SCOPE.every((member) => delivery[member] === scope[member]);

/** The name of a page: its number, if it has one, and its content. */
const pageNameOf = ({ page }: DeclaredDelivery, lines: readonly BillLine[]): string =>
  `${page === undefined ? '' : `${page}.`}${contentOf(lines)}`;

/**
 * A declared delivery after a request. `current` is the active one with its id. A repeated request changes nothing, also of
 * a delivery that is complete. Throws CONFLICT for another scope, and for other rows of a delivery that is complete.
 */
export const declaredDelivery = (
  current: StoredDelivery | null,
  declared: DeclaredDelivery,
  isLast: boolean,
  { lines, rejected, by, at }: SentRows,
): NextDelivery => {
  const scope = scopeOf(declared);
  if (current !== null && !hasScope(current, scope)) {
    throw conflict('The delivery has another provider, account or days. Use another id.');
  }
  const page = lines.length === 0 ? null : pageNameOf(declared, lines);
  const isKnown = page === null || current?.pages[page] !== undefined;
  if (current?.state === 'complete') {
    if (isKnown) return { next: current, page, isChanged: false };
    throw conflict('The delivery is complete. Send the whole bill again under another id.');
  }
  const others = Object.entries(current?.pages ?? {}).filter(
    ([name]) => declared.page === undefined || !name.startsWith(`${declared.page}.`),
  );
  const pages = Object.fromEntries([
    ...others,
    ...(page === null ? [] : [[page, pageOf(lines, rejected)] as const]),
  ]);
  const next: StoredDelivery = {
    id: declared.id,
    mode: 'replace',
    ...scope,
    state: isLast ? 'complete' : 'open',
    pages,
    at: Math.max(at, current?.at ?? 0),
    by,
    source_id: null,
  };
  requireStorable(next);
  return { next, page, isChanged: current === null || !isKnown || isLast };
};
