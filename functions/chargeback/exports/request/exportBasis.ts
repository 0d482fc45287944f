import type { ExportBasis } from '../../../../schemas/chargeback/exports.ts';
import type { ExportTerms } from '../../../../schemas/chargeback/focus.ts';
import type { Scope } from '../../../../schemas/identity/scopes.ts';
import { RECORDS_SCOPE } from '../../../../schemas/routes/disclosure.ts';
import { ProblemError } from '../../../platform/shared/problem.ts';
import type { Caller } from '../../../platform/tenancy/caller.ts';

/** The basis of the exports of a principal with these scopes. */
export const basisFor = (scopes: ReadonlySet<Scope>): ExportBasis =>
  scopes.has(RECORDS_SCOPE) ? 'records' : 'cohorts';

const recordsScopeMissing = (reason: string, advice = '') =>
  new ProblemError(
    'INSUFFICIENT_SCOPE',
    `${reason}, so this needs the scope ${RECORDS_SCOPE}. ${advice}`.trim(),
    {
      headers: { 'www-authenticate': `Bearer error="insufficient_scope", scope="${RECORDS_SCOPE}"` },
    },
  );

/** Whether a principal with these scopes may create an export with these terms. A row of a single call is a record. */
export const isAllowed = (
  scopes: ReadonlySet<Scope>,
  { granularity }: Pick<ExportTerms, 'granularity'>,
): boolean => granularity !== 'record' || scopes.has(RECORDS_SCOPE);

/** The basis of an export that a caller requests. Throws INSUFFICIENT_SCOPE for rows of single calls without the scope. */
export const requireBasis = (
  { scopes }: Pick<Caller, 'scopes'>,
  terms: Pick<ExportTerms, 'granularity'>,
): ExportBasis => {
  if (!isAllowed(scopes, terms))
    throw recordsScopeMissing(
      'Rows of granularity record show single calls',
      'Without it, choose hour, day or month.',
    );
  return basisFor(scopes);
};

/** Whether these scopes may see an export: its files and totals are as revealing as its rows. */
export const isReadable = ({ scopes }: Pick<Caller, 'scopes'>, basis: ExportBasis): boolean =>
  basis === 'cohorts' || scopes.has(RECORDS_SCOPE);

/** Throws INSUFFICIENT_SCOPE unless the caller may see an export with this basis. */
export const requireReadable = (caller: Pick<Caller, 'scopes'>, basis: ExportBasis): void => {
  if (!isReadable(caller, basis)) throw recordsScopeMissing('The export is made from records');
};
