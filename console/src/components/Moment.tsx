import { formatAgo, formatMoment } from '../format/time.ts';

/** A time in UTC, or how long ago it is with the time as a title. */
export const Moment = ({ at, ago = false }: { at: string; ago?: boolean }) => (
  <time dateTime={at} title={formatMoment(at)}>
    {ago ? formatAgo(at, Date.now()) : formatMoment(at)}
  </time>
);
