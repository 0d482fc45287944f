import { Link } from 'wouter';
import { getUnownedReport } from '../../../../sdk/typescript/src/operations.ts';
import { useRead } from '../../api/useRead.ts';
import { plural } from '../../format/amount.ts';
import { DAY_MS, isoDay } from '../../format/time.ts';
import { ownersLink } from '../owners/ownersState.ts';

/** Asks who pays for the services that nobody owns. It renders nothing while there are none. */
export const UnownedLink = ({ period }: { period: { readonly from: number; readonly to: number } }) => {
  const days = { from: isoDay(period.from), to: isoDay(period.to) };
  const report = useRead(['unowned', 'overview', days], (client, options) =>
    getUnownedReport(client, { ...days, suggestions: 'false' }, options),
  );
  const services = report.data?.services ?? 0;
  if (services === 0) return null;
  return (
    <Link href={ownersLink({ from: days.from, to: isoDay(period.to - DAY_MS) })}>
      {plural(services, 'service')} {services === 1 ? 'has' : 'have'} no owner
    </Link>
  );
};
