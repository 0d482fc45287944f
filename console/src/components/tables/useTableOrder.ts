import { useLocation, useSearch } from 'wouter';
import type { Order } from './sortRows.ts';
import { orderIn, withOrder } from './tableOrder.ts';

/** The order of a table, kept in the URL: a link shows the same rows at the top. It is no step of the history. */
export const useTableOrder = (table: string): [Order | null, (order: Order | null) => void] => {
  const search = useSearch();
  const [path, navigate] = useLocation();
  const setOrder = (order: Order | null): void => {
    const next = withOrder(search, table, order);
    navigate(next === '' ? path : `${path}?${next}`, { replace: true });
  };
  return [orderIn(search, table), setOrder];
};
