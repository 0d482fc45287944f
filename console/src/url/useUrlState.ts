import { useCallback, useMemo } from 'react';
import { useLocation, useSearch } from 'wouter';
import type { Codec } from './codec.ts';

/** The state of a page, kept in the URL: a link or a reload shows the same. */
export const useUrlState = <State extends Readonly<Record<string, unknown>>>(
  codec: Codec<State>,
): [State, (change: Partial<State>) => void] => {
  const search = useSearch();
  const [path, navigate] = useLocation();
  const state = useMemo(() => codec.read(search), [codec, search]);
  const change = useCallback(
    (members: Partial<State>) => {
      const next = codec.write({ ...state, ...members });
      navigate(next === '' ? path : `${path}?${next}`, { replace: true });
    },
    [codec, navigate, path, state],
  );
  return [state, change];
};
