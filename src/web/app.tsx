import { Fragment, lazy, Suspense } from "react";
import { Route, Switch } from "wouter";
import { LiveBar } from "./live/live-bar.tsx";
import { RunPage } from "./run/run-page.tsx";
import { RunsPage } from "./pages/runs-page.tsx";
import { Header } from "./shell/header.tsx";
import { Palette } from "./shell/palette.tsx";
import { usePlace } from "./shell/place.ts";
import { SignIn, useSession } from "./shell/session.tsx";
import { Skeleton } from "./text/states.tsx";

const ComparePage = lazy(() => import("./pages/compare-page.tsx"));
const StartPage = lazy(() => import("./pages/start-page.tsx"));
const InboxPage = lazy(() => import("./pages/inbox-page.tsx"));
const StudiesPage = lazy(() => import("./pages/studies-page.tsx"));
const StudyPage = lazy(() => import("./pages/study-page.tsx"));
const DoctorPage = lazy(() => import("./pages/doctor-page.tsx"));

/** The whole viewer: a header, and the page that the address names. */
export function App() {
  const session = useSession();
  usePlace();
  if (session.isPending) return <Skeleton lines={4} />;
  if (session.isError) return <SignIn problem={session.error.message} />;
  return (
    <>
      <a className="skip" href="#main">
        Skip to the page
      </a>
      <Header />
      <Palette />
      <main id="main" tabIndex={-1}>
        <Suspense fallback={<Skeleton lines={6} />}>
          <Switch>
            <Route path="/" component={RunsPage} />
            <Route path="/runs/:id">
              {({ id }) => (
                <Fragment key={id}>
                  <RunPage id={id} />
                  <LiveBar id={id} />
                </Fragment>
              )}
            </Route>
            <Route path="/compare" component={ComparePage} />
            <Route path="/start" component={StartPage} />
            <Route path="/inbox" component={InboxPage} />
            <Route path="/studies" component={StudiesPage} />
            <Route path="/studies/:name">{({ name }) => <StudyPage name={name} />}</Route>
            <Route path="/doctor" component={DoctorPage} />
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
