import type { ReactNode } from 'react';
import { Failure } from './Failure.tsx';

export interface Reading<Data> {
  readonly data: Data | undefined;
  readonly error: Error | null;
  readonly refetch: () => unknown;
}

export const Skeleton = ({ height }: { height: number }) => (
  <span className="skeleton" style={{ height }} role="status">
    <span className="visually-hidden">Loading</span>
  </span>
);

/** The states of a reading. The skeleton has the final height, so that nothing jumps when the data arrives. */
export const Loaded = <Data,>({
  of,
  height,
  children,
}: {
  of: Reading<Data>;
  height: number;
  children: (data: Data) => ReactNode;
}) => {
  if (of.data !== undefined) return children(of.data);
  if (of.error !== null) return <Failure error={of.error} retry={of.refetch} />;
  return <Skeleton height={height} />;
};
