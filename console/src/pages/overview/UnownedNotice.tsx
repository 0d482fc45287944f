import { Link } from 'wouter';
import { getUnownedReport } from '../../../../sdk/typescript/src/operations.ts';
import { useRead } from '../../api/useRead.ts';
import { Callout } from '../../components/Callout.tsx';
import { plural } from '../../format/amount.ts';
import { DAY_MS, isoDay } from '../../format/time.ts';
import { costText, ownersLink } from '../owners/ownersState.ts';

/** Asks who pays for the services that nobody owns. It renders nothing while there are none. */
export const UnownedNotice = ({ period }: { period: { readonly from: number; readonly to: number } }) => {
  const days = { from: isoDay(period.from), to: isoDay(period.to) };
  const report = useRead(['unowned', 'overview', days], (client, options) =>
    getUnownedReport(client, { ...days, suggestions: 'false' }, options),
  );
  const { services = 0, totals } = report.data ?? {};
  if (services === 0 || totals === undefined) return null;
  const link = ownersLink({ from: days.from, to: isoDay(period.to - DAY_MS) });
  return (
    <Callout tone="note" action={<Link href={link}>Name their owners</Link>}>
      <strong>
        {plural(services, 'service')} {services === 1 ? 'has' : 'have'} no owner.
      </strong>{' '}
      Nobody is charged for {costText(totals)} of these days.
    </Callout>
  );
};
