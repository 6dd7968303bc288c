import random, json, gzip, os, datetime as dt
out=os.path.dirname(os.path.abspath(__file__))
truth=[]
def T(start): return dt.datetime.fromisoformat(start)
def save(name, lines):
    lines=sorted(lines,key=lambda x:x[0])
    with gzip.open(f'{out}/{name}.gz','wt') as f:
        for _,l in lines: f.write(l+'\n')
def fault(file,category,component,cause,any_,all_): truth.append(dict(file=file,category=category,component=component,cause=cause,any=any_,all=all_))
def healthy(file,why): truth.append(dict(file=file,category='none',component=None,cause=why))
def iso(t): return t.strftime('%Y-%m-%dT%H:%M:%S.')+f'{t.microsecond//1000:03d}Z'
def plus(t,s): return t+dt.timedelta(seconds=s)

# 1 Elixir conference: one process's message queue grows
r=random.Random(1); t0=T('2026-03-02T09:00:00'); L=[]
for i in range(2400):
    t=plus(t0,i*1.5+r.random()); room=r.randint(100,160)
    L.append((t,f"{t.strftime('%H:%M:%S.')}{t.microsecond//1000:03d} [info] Elixir.Conf.Room joined room={room} user=u{r.randint(1000,9999)}"))
    if i%20==0:
        for p in ('Recorder','Presence','Mixer'):
            q=r.randint(0,9)
            if p=='Presence' and i>1100: q=int((i-1100)*31+r.randint(0,50))
            L.append((t,f"{t.strftime('%H:%M:%S.')}{t.microsecond//1000:03d} [debug] Elixir.Conf.Stats process=Elixir.Conf.{p} message_queue_len={q} reductions={r.randint(20000,30000)}"))
    if i>1500 and r.random()<0.25:
        L.append((plus(t,.4),f"{plus(t,.4).strftime('%H:%M:%S.')}{plus(t,.4).microsecond//1000:03d} [error] GenServer #PID<0.{r.randint(300,999)}.0> terminating ** (exit) exited in: GenServer.call(Elixir.Conf.Room, :roster, 5000) ** (EXIT) time out"))
        L.append((plus(t,.5),f"{plus(t,.5).strftime('%H:%M:%S.')}{plus(t,.5).microsecond//1000:03d} [warning] Elixir.ConfWeb.Endpoint 504 GET /rooms/{room}/roster in 5003ms"))
save('01-elixir-conference.log',L)
fault('01-elixir-conference.log','resource','Conf.Presence','the mailbox of the process Conf.Presence grows without end (message queue from under 10 to tens of thousands), so calls through it time out',['message.?queue','mailbox','queue.{0,20}(grow|rise|climb)','backlog'],['presence'])

# 2 Ceph: one OSD of eight is slow
r=random.Random(2); t0=T('2026-04-11T22:00:00'); L=[]
for i in range(1600):
    t=plus(t0,i*2); o=i%8
    lat=r.randint(3,9)
    if o==5 and i>800: lat=r.randint(700,1200)
    L.append((t,f"{iso(t)} ceph-osd.{o} log_channel(cluster) : osd.{o} op_commit_latency={lat}ms ops={r.randint(80,120)}"))
    if i%3==0: L.append((plus(t,.2),f"{iso(plus(t,.2))} rgw.a req {i*7} PUT /bucket-{r.randint(1,9)}/obj{i} status=200 took {r.randint(11,40)}ms"))
    if i>840 and r.random()<.3: L.append((plus(t,.6),f"{iso(plus(t,.6))} rgw.a req {i*7+1} PUT /bucket-{r.randint(1,9)}/obj{i} status=500 op timed out after 30000ms"))
    if i>860 and r.random()<.15: L.append((plus(t,.8),f"{iso(plus(t,.8))} mon.b cluster [WRN] Health check update: {r.randint(20,90)} slow requests are blocked (REQUEST_SLOW)"))
save('02-ceph-cluster.log',L)
fault('02-ceph-cluster.log','hardware','osd.5','osd.5 alone commits slowly (from about 6 ms to about 1 s), the other seven are as before',['slow','latenc','\\d ?ms'],['osd\\.5'])

# 3 inodes used up
r=random.Random(3); t0=T('2026-05-20T01:00:00'); L=[]
for i in range(1500):
    t=plus(t0,i*4); m=t.strftime('%b %d %H:%M:%S')
    L.append((t,f"{m} web7 php-fpm[{r.randint(900,950)}]: session opened for visitor {r.randint(10000,99999)}"))
    if i%25==0:
        iu=min(100,int(71+i/25*0.8)) 
        L.append((plus(t,1),f"{m} web7 diskwatch[211]: /var space_used=42% inodes_used={iu}%"))
    if i>930 and r.random()<.4: L.append((plus(t,2),f"{m} web7 php-fpm[{r.randint(900,950)}]: PHP Warning: session_start(): open(/var/lib/php/sessions/sess_{r.randrange(16**8):08x}, O_RDWR) failed: No space left on device (28)"))
    if i>930 and r.random()<.3: L.append((plus(t,3),f"{m} web7 nginx: 10.3.0.{r.randint(2,250)} \"POST /cart\" 500 in {r.randint(20,60)}ms"))
save('03-web-sessions.log',L)
fault('03-web-sessions.log','resource','web7','the inodes of /var are used up (100 %) although space is free, so session files cannot be made',['inode'],['inode|/var'])

# 4 conntrack full
r=random.Random(4); t0=T('2026-06-03T17:00:00'); L=[]
for i in range(1700):
    t=plus(t0,i*2); m=t.strftime('%b %d %H:%M:%S')
    if i%15==0: L.append((t,f"{m} edge2 netstat-agent: conntrack count={min(262144,int(90000+max(0,i-300)*200)+r.randint(-500,500)) if 90000+max(0,i-300)*200<262144 else 262144} max=262144"))
    L.append((plus(t,.3),f"{m} edge2 kamailio[77]: INFO: INVITE sip:{r.randint(2000,2999)}@voip.example routed to gw{r.randint(1,3)}"))
    if i>1165 and r.random()<.5: L.append((plus(t,.7),f"{m} edge2 kamailio[77]: ERROR: tm: no reply from gw{r.randint(1,3)} within 5000 ms, 408 Request Timeout"))
    if i>1165 and r.random()<.4: L.append((plus(t,.9),f"{m} edge2 rtpengine[90]: ERR: media stream {r.randint(1,9999)}: no packets for 10 s, tearing down call"))
save('04-sip-edge.log',L)
fault('04-sip-edge.log','resource','edge2','the connection tracking table of edge2 is full (262144 of 262144), so new flows are dropped',['conntrack','connection.?track'],['conntrack|connection.?track'])

# 5 ldap config change
r=random.Random(5); t0=T('2026-02-17T08:00:00'); L=[]
for i in range(1200):
    t=plus(t0,i*3)
    ok=i<620
    u=r.choice('amira ben chloe dario elif farid gwen hugo'.split())
    L.append((t,f"{iso(t)} INFO  sso-gateway login attempt user={u}"))
    if ok: L.append((plus(t,.2),f"{iso(plus(t,.2))} INFO  directory search base=ou=people,dc=acme,dc=org filter=(uid={u}) entries=1"))
    else:
        L.append((plus(t,.2),f"{iso(plus(t,.2))} INFO  directory search base=ou=users,dc=acme,dc=org filter=(uid={u}) entries=0"))
        L.append((plus(t,.4),f"{iso(plus(t,.4))} ERROR sso-gateway login failed user={u} reason=invalid credentials"))
        if r.random()<.5: L.append((plus(t,.6),f"{iso(plus(t,.6))} ERROR vpn-portal authentication rejected for {u}: upstream returned 401"))
        if r.random()<.3: L.append((plus(t,.7),f"{iso(plus(t,.7))} WARN  wiki session refresh denied for {u}"))
t=plus(t0,618*3); L.append((t,f"{iso(t)} INFO  directory configuration reloaded: search_base changed from ou=people,dc=acme,dc=org to ou=users,dc=acme,dc=org by ops-bot"))
save('05-sso-directory.log',L)
fault('05-sso-directory.log','configuration','directory','the search base of the directory was changed (ou=people to ou=users), so nobody is found any more',['search.?base','base.{0,20}chang','config'],['directory|search.?base'])

# 6 flink state grows
r=random.Random(6); t0=T('2026-07-08T00:00:00'); L=[]
for i in range(1440):
    t=plus(t0,i*10)
    st=int(210+ (max(0,i-400)**1.25)*2.2)
    if i%6==0:
        L.append((t,f"{iso(t)} [checkpoint-coordinator] INFO Completed checkpoint {1000+i//6} for job orders-join state_mb={st+r.randint(-3,3)} duration_ms={int(st*4.1)+r.randint(-40,40)}"))
        L.append((plus(t,1),f"{iso(plus(t,1))} [checkpoint-coordinator] INFO Completed checkpoint {2000+i//6} for job clicks-count state_mb={88+r.randint(-3,3)} duration_ms={350+r.randint(-40,40)}"))
    L.append((plus(t,2),f"{iso(plus(t,2))} [source-orders] INFO records_in={r.randint(900,1100)} lag={r.randint(0,40) if i<1000 else (i-1000)*900+r.randint(0,500)}"))
    if i>1000 and r.random()<.5:
        L.append((plus(t,3),f"{iso(plus(t,3))} [sink-warehouse] ERROR write of batch {i} exceeded 60 s, retrying"))
        L.append((plus(t,4),f"{iso(plus(t,4))} [checkpoint-coordinator] WARN Checkpoint {3000+i} of job orders-join expired before completing"))
save('06-stream-join.log',L)
fault('06-stream-join.log','resource','orders-join','the state of the job orders-join grows without end, so its checkpoints take ever longer and expire',['state','grow','checkpoint'],['orders-join'])

# 7 revoked push key
r=random.Random(7); t0=T('2026-01-25T12:00:00'); L=[]
for i in range(1300):
    t=plus(t0,i*2)
    d=dict(ts=iso(t),service='push-sender',level='info',msg='notification sent',device=f'd{r.randint(1,9999)}',ms=r.randint(30,90))
    if i>=600: d.update(level='warn',msg='provider answered 403: the API key has been revoked',device=d['device']); d.pop('ms')
    L.append((t,json.dumps(d)))
    if i%10==0: L.append((plus(t,.5),json.dumps(dict(ts=iso(plus(t,.5)),service='queue',level='info',msg='depth',depth=r.randint(0,20) if i<600 else (i-600)*3))))
    if i>680 and r.random()<.6:
        L.append((plus(t,.7),json.dumps(dict(ts=iso(plus(t,.7)),service='worker-pool',level='error',msg='job exceeded its deadline of 30 s and was requeued',job=r.randint(1,99999)))))
        L.append((plus(t,.8),json.dumps(dict(ts=iso(plus(t,.8)),service='mobile-api',level='error',msg='POST /orders timed out waiting for worker-pool',status=504))))
save('07-push.jsonl',L)
fault('07-push.jsonl','security','push-sender','the key of the push provider was revoked (403), so nothing is sent and the queue backs up',['key.{0,30}revoked','revoked.{0,30}key','403','api key'],['key|403'])

# 8 influx cardinality
r=random.Random(8); t0=T('2026-08-14T06:00:00'); L=[]
for i in range(1300):
    t=plus(t0,i*5)
    if i%5==0:
        c=48000+r.randint(-20,20)+(0 if i<450 else (i-450)*9000)
        L.append((t,f"{iso(t)} tsdb info: shard stats db=fleet series={c} points_per_s={r.randint(4000,4200)}"))
        h=1800+r.randint(-30,30)+(0 if i<450 else (i-450)*16)
        L.append((plus(t,1),f"{iso(plus(t,1))} tsdb info: heap_inuse_mb={h}"))
    L.append((plus(t,2),f"{iso(plus(t,2))} collector info: wrote batch of {r.randint(480,520)} points"))
    if i>1000 and r.random()<.5: L.append((plus(t,3),f"{iso(plus(t,3))} collector error: write failed: timeout after 10s"))
    if i>1000 and r.random()<.4: L.append((plus(t,3.5),f"{iso(plus(t,3.5))} dashboard error: query panel={r.randint(1,30)} aborted after 30s"))
t=plus(t0,449*5); L.append((t,f"{iso(t)} collector info: release 4.12 started, tags added: session_id"))
save('08-metrics-store.log',L)
fault('08-metrics-store.log','configuration','collector','release 4.12 of the collector adds the tag session_id, so the number of series explodes',['series','cardinal','session_id','4\\.12','tags?'],['series|session_id|4\\.12|cardinal|collector'])

# 9 rabbitmq disk alarm
r=random.Random(9); t0=T('2026-09-09T10:00:00'); L=[]
for i in range(1300):
    t=plus(t0,i*2); p=t.strftime('%Y-%m-%d %H:%M:%S.')+f'{t.microsecond//1000:03d}'
    if i%20==0: L.append((t,f"{p} [info] <0.401.0> rabbit@mq1 disk free {max(0.6,14-i*0.0165):.1f} GB"))
    L.append((plus(t,.2),f"{p} [info] <0.{r.randint(500,900)}.0> orders: published message {i}"))
    if i>790 and i%9==0: L.append((plus(t,.5),f"{p} [error] <0.{r.randint(500,900)}.0> checkout: publish confirm not received within 15000 ms"))
    if i>800 and r.random()<.5: L.append((plus(t,.7),f"{p} [error] <0.{r.randint(500,900)}.0> storefront: 503 Service Unavailable for POST /basket"))
t=plus(t0,788*2); p=t.strftime('%Y-%m-%d %H:%M:%S.')+'000'
L.append((t,f"{p} [warning] <0.401.0> rabbit@mq1 free disk space is below the limit of 1.0 GB, publishers are blocked"))
save('09-broker.log',L)
fault('09-broker.log','resource','mq1','the disk of mq1 runs full, the broker blocks publishers below its limit',['disk','space'],['disk|mq1'])

# 10 build cache hits fall to zero after toolchain image change (order)
r=random.Random(10); t0=T('2026-10-05T07:00:00'); L=[]
for i in range(900):
    t=plus(t0,i*8)
    h=r.randint(88,97) if i<400 else 0
    L.append((t,f"{iso(t)} build-runner[{r.randint(1,6)}] target //svc{r.randint(1,40)}:all cache_hits={h}% duration={r.randint(40,80) if i<400 else r.randint(900,1500)}s"))
    if i>430 and r.random()<.4: L.append((plus(t,3),f"{iso(plus(t,3))} scheduler ERROR job {i} waited longer than 1800s for a free runner"))
    if i>440 and r.random()<.3: L.append((plus(t,4),f"{iso(plus(t,4))} merge-queue ERROR pull request {r.randint(5000,5999)} removed: required check did not finish in time"))
t=plus(t0,399*8); L.append((t,f"{iso(t)} build-runner[1] toolchain image replaced: clang-18.1 -> clang-19.0"))
save('10-build-farm.log',L)
fault('10-build-farm.log','configuration','build-runner','the toolchain image was replaced, so no build hits the cache any more (hits fall to 0 %) and builds take twenty times as long',['cache','toolchain','clang'],['cache|toolchain|clang'])

# 11 DNSSEC: quiet first warning
r=random.Random(11); t0=T('2026-11-01T03:00:00'); L=[]
for i in range(1500):
    t=plus(t0,i*2); m=t.strftime('%b %d %H:%M:%S')
    if i<700: L.append((t,f"{m} ns1 unbound[41]: info: resolved api.partner.example A in {r.randint(8,30)} ms"))
    else:
        if r.random()<.3: L.append((t,f"{m} ns1 unbound[41]: info: validation failure <api.partner.example. A IN>: signature expired"))
        if r.random()<.8: L.append((plus(t,.3),f"{m} app{r.randint(1,4)} billing[12]: ERROR cannot resolve api.partner.example: SERVFAIL"))
        if r.random()<.6: L.append((plus(t,.6),f"{m} app{r.randint(1,4)} billing[12]: ERROR invoice {r.randint(10000,99999)} not sent, giving up after 3 attempts"))
    L.append((plus(t,.9),f"{m} app{r.randint(1,4)} billing[12]: INFO heartbeat ok"))
save('11-dns.log',L)
fault('11-dns.log','security','partner.example','the DNSSEC signature of partner.example has expired, so its names do not resolve',['signature expired','expired.{0,20}signature','validation','dnssec'],['signature|validation|dnssec'])

# 12 thread leak in one of three replicas
r=random.Random(12); t0=T('2026-03-30T15:00:00'); L=[]
for i in range(1500):
    t=plus(t0,i*2); k=i%3
    th=r.randint(58,64)
    if k==1 and i>500: th=60+(i-500)//2
    if i%9<3: L.append((t,f"{iso(t)} quote-svc-{k} INFO  jvm threads={th} heap_used_mb={r.randint(300,420)}"))
    L.append((plus(t,.4),f"{iso(plus(t,.4))} quote-svc-{k} INFO  priced request {i} in {r.randint(5,15)} ms"))
    if i>1150 and r.random()<.4:
        L.append((plus(t,.6),f"{iso(plus(t,.6))} quote-svc-1 ERROR java.lang.OutOfMemoryError: unable to create native thread"))
        L.append((plus(t,.8),f"{iso(plus(t,.8))} broker-gw   ERROR quote request failed: connection reset by quote-svc-1"))
        L.append((plus(t,.9),f"{iso(plus(t,.9))} order-desk  ERROR no price for order {r.randint(1,9999)}, rejecting"))
save('12-quotes.log',L)
fault('12-quotes.log','resource','quote-svc-1','quote-svc-1 leaks threads: their number grows from 60 to hundreds until none can be made',['thread'],['quote-svc-1'])

# healthy
r=random.Random(21); t0=T('2026-02-01T02:00:00'); L=[]
for i in range(900):
    t=plus(t0,i*4); m=t.strftime('%b %d %H:%M:%S')
    L.append((t,f"{m} bk1 borg[88]: archived /srv/data/{r.randint(1,400)} chunk {i}"))
    if i in (210,520,705):
        L.append((plus(t,1),f"{m} bk1 borg[88]: WARNING: connection to vault lost, retry 1 of 5"))
        L.append((plus(t,2),f"{m} bk1 borg[88]: connection to vault restored, continuing at chunk {i}"))
    if i%60==0: L.append((plus(t,3),f"{m} bk1 smartd[40]: Device: /dev/sda, Temperature changed {r.randint(31,35)} to {r.randint(31,35)} Celsius"))
L.append((plus(t0,3605),"Feb 01 03:00:05 bk1 borg[88]: backup finished: 900 chunks, 0 errors"))
save('13-backup-night.log',L); healthy('13-backup-night.log','retries that succeed; the backup ends without errors')
r=random.Random(22); t0=T('2026-02-03T10:00:00'); L=[]
for i in range(1200):
    t=plus(t0,i*1)
    L.append((t,f"{iso(t)} edge access {r.choice(['203.0.113.9','198.51.100.4'])+' GET '+r.choice(['/wp-login.php','/.env','/phpmyadmin'])+' 404' if r.random()<.2 else '192.0.2.'+str(r.randint(2,250))+' GET /products/'+str(r.randint(1,900))+' 200'} {r.randint(2,30)}ms"))
    if r.random()<.03: L.append((plus(t,.3),f"{iso(plus(t,.3))} auth WARN failed password for invalid user admin from 203.0.113.9"))
save('14-bots.log',L); healthy('14-bots.log','scanners that get 404 and fail to log in, from the first line to the last at the same rate')
r=random.Random(23); t0=T('2026-02-05T14:00:00'); L=[]
for i in range(1200):
    t=plus(t0,i*2)
    L.append((t,f"{iso(t)} api-{i%3} INFO  GET /v2/items 200 {r.randint(6,18)}ms"))
for k,at in ((0,500),(1,560),(2,620)):
    for s,x in ((0,f'api-{k} INFO  received SIGTERM, draining connections'),(4,f'api-{k} WARN  refusing new connections while draining'),(9,f'api-{k} INFO  stopped'),(12,f'api-{k} INFO  starting version 5.3.1'),(18,f'api-{k} WARN  cache is cold'),(20,f'api-{k} INFO  ready')):
        t=plus(t0,at*2+s); L.append((t,f"{iso(t)} {x}"))
save('15-rolling-deploy.log',L); healthy('15-rolling-deploy.log','a rolling deployment: every replica drains, stops, starts and is ready; nothing fails after')
r=random.Random(24); t0=T('2026-02-07T16:00:00'); L=[]
for i in range(1500):
    t=plus(t0,i*2); load=500<=i<900
    L.append((t,json.dumps(dict(time=iso(t),app='shop',level='INFO',event='request',status=200,ms=r.randint(10,25) if not load else r.randint(20,60)))))
    if load and r.random()<.05: L.append((plus(t,.5),json.dumps(dict(time=iso(plus(t,.5)),app='shop',level='WARN',event='request shed',status=503,client='loadtest-7'))))
for at,e in ((500,'load test 7 started, 40 virtual users'),(900,'load test 7 finished, objectives met')):
    t=plus(t0,at*2-.5); L.append((t,json.dumps(dict(time=iso(t),app='loadtest',level='INFO',event=e))))
save('16-load-test.jsonl',L); healthy('16-load-test.jsonl','a load test that ends with its objectives met; afterwards all is as before')
r=random.Random(25); t0=T('2026-02-09T09:00:00'); L=[]
for i in range(1000):
    t=plus(t0,i*3); p=t.strftime('%Y-%m-%d %H:%M:%S,')+f'{t.microsecond//1000:03d}'
    L.append((t,f"{p} INFO [consumer-{i%4}] committed offset {50000+i*10}"))
    if i%200==100:
        L.append((plus(t,.4),f"{p} WARN [group-coordinator] rebalancing group payments, reason: new member joined"))
        L.append((plus(t,1.4),f"{p} INFO [group-coordinator] group payments stable, {4+i//200} members"))
    if r.random()<.01: L.append((plus(t,1),f"{p} ERROR [validator] message rejected: field 'iban' is not valid (sent to review)"))
save('17-consumers.log',L); healthy('17-consumers.log','planned scaling with rebalances that settle; a steady trickle of rejected input')
r=random.Random(26); t0=T('2026-02-11T20:00:00'); L=[]
for i in range(1400):
    t=plus(t0,i*3); m=t.strftime('%b %d %H:%M:%S')
    L.append((t,f"{m} turbine3 scada[9]: rpm={r.randint(1480,1520)} vibration={r.uniform(0.8,1.2):.2f} temp={61+8*__import__('math').sin(i/120):.1f}"))
    if i in (333,777,1111): L.append((plus(t,1),f"{m} turbine3 scada[9]: ALARM TEST: manual test of emergency stop circuit, result ok"))
    if i%100==50: L.append((plus(t,1),f"{m} turbine3 ntpd[3]: time offset 0.0{r.randint(10,40)} s corrected"))
save('18-turbine.log',L); healthy('18-turbine.log','values that swing within their range, alarm tests with result ok')
open(out+'/truth.jsonl','w').write(''.join(json.dumps(x)+'\n' for x in truth))
print(len(truth))
