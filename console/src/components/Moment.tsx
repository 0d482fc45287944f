import { formatAgo, formatMinute, formatMoment } from '../format/time.ts';

interface MomentProps {
  readonly at: string;
  /** Shows how long ago it is instead. */
  readonly ago?: boolean;
  /** The title of the column says UTC. */
  readonly bare?: boolean;
}

/** A time in UTC, which is also its title. */
export const Moment = ({ at, ago = false, bare = false }: MomentProps) => (
  <time dateTime={at} title={formatMoment(at)}>
    {ago ? formatAgo(at, Date.now()) : bare ? formatMinute(at) : formatMoment(at)}
  </time>
);
