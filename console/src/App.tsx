import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { Suspense } from 'react';
import { Route, Router, Switch } from 'wouter';
import { Skeleton } from './components/Loaded.tsx';
import { SessionGate } from './session/SessionGate.tsx';
import { NotFound } from './shell/NotFound.tsx';
import { pageGroups } from './shell/pages.ts';
import { Shell } from './shell/Shell.tsx';

const queries = new QueryClient({
  defaultOptions: {
    // The client of the API repeats what is safe to repeat.
    queries: { staleTime: 30_000, retry: false, refetchOnWindowFocus: false },
  },
});

export const App = () => (
  <QueryClientProvider client={queries}>
    <SessionGate>
      <Router base="/console">
        <Shell>
          <Suspense fallback={<Skeleton height={480} />}>
            <Switch>
              {pageGroups.flatMap(({ pages }) =>
                pages.flatMap(({ path, page, below = [] }) =>
                  [{ path, page }, ...below].map((each) => (
                    <Route key={each.path} path={each.path} component={each.page} />
                  )),
                ),
              )}
              <Route component={NotFound} />
            </Switch>
          </Suspense>
        </Shell>
      </Router>
    </SessionGate>
  </QueryClientProvider>
);
