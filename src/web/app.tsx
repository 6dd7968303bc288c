import { lazy, Suspense } from "react";
import { Route, Switch } from "wouter";
import { Header } from "./shell/header.tsx";
import { SignIn, useSession, useTopOfPage } from "./shell/session.tsx";
import { Skeleton } from "./text/parts.tsx";

const RunsPage = lazy(() => import("./runs/runs-page.tsx"));
const RunPage = lazy(() => import("./run/run-page.tsx"));
const ComparePage = lazy(() => import("./runs/compare-page.tsx"));
const StartPage = lazy(() => import("./start/start-page.tsx"));
const InboxPage = lazy(() => import("./review/inbox-page.tsx"));
const StudiesPage = lazy(() => import("./studies/studies-page.tsx"));
const StudyPage = lazy(() => import("./studies/study-page.tsx"));

export function App() {
  const session = useSession();
  useTopOfPage();
  if (session.isPending) return <Skeleton lines={4} />;
  if (session.isError) return <SignIn problem={session.error.message} />;
  return (
    <>
      <a className="skip" href="#main">
        Skip to the page
      </a>
      <Header />
      <main id="main" tabIndex={-1}>
        <Suspense fallback={<Skeleton lines={6} />}>
          <Switch>
            <Route path="/" component={RunsPage} />
            <Route path="/runs/:id">{({ id }) => <RunPage key={id} id={id} />}</Route>
            <Route path="/compare" component={ComparePage} />
            <Route path="/start" component={StartPage} />
            <Route path="/inbox" component={InboxPage} />
            <Route path="/studies" component={StudiesPage} />
            <Route path="/studies/:name">{({ name }) => <StudyPage name={name} />}</Route>
            <Route>
              <p className="empty">
                There is no such page. <a href="/">All runs</a>
              </p>
            </Route>
          </Switch>
        </Suspense>
      </main>
    </>
  );
}
