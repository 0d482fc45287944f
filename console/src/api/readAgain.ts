import type { QueryClient, QueryFilters } from '@tanstack/react-query';

/**
 * Reads all pages' data again, or that of some queries, after a change. A first reading that is still on its way is
 * cancelled: it may have been answered before the change, and `invalidateQueries` alone would keep its answer.
 */
export const readAgain = async (queries: QueryClient, some: QueryFilters = {}): Promise<void> => {
  await queries.cancelQueries(some);
  await queries.invalidateQueries(some);
};
