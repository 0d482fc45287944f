import { useCallback, useMemo, useRef } from 'react';
import { useLocation, useSearch } from 'wouter';
import type { Codec } from './codec.ts';

/** Changes that follow each other faster, such as the digits of a date, are one entry of the history. */
const BURST_MS = 1_000;

/** The state of a page, kept in the URL: a link or a reload shows the same, and Back undoes the last change. */
export const useUrlState = <State extends Readonly<Record<string, unknown>>>(
  codec: Codec<State>,
): [State, (change: Partial<State>) => void] => {
  const search = useSearch();
  const [path, navigate] = useLocation();
  const changedAt = useRef(Number.NEGATIVE_INFINITY);
  const state = useMemo(() => codec.read(search), [codec, search]);
  const change = useCallback(
    (members: Partial<State>) => {
      const changed = { ...state, ...members };
      if (codec.write(changed) === codec.write(state)) return;
      // The orders of tables are not of the state.
      const next = codec.write(changed, search);
      const now = performance.now();
      const replace = now - changedAt.current < BURST_MS;
      changedAt.current = now;
      navigate(next === '' ? path : `${path}?${next}`, { replace });
    },
    [codec, navigate, path, search, state],
  );
  return [state, change];
};
