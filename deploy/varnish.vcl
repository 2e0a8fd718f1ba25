# Varnish in front of the shop, with the module xkey (Debian: varnish and varnish-modules). Change the address and the key. Start the
# shop with CDN_PURGE=varnish CDN_PURGE_URL=http://127.0.0.1:6081 CDN_PURGE_KEY='the key below', and with TRUSTED_PROXIES=1.
vcl 4.1;

import xkey;

backend shop {
  .host = "127.0.0.1";
  .port = "4321";
}

sub vcl_recv {
  if (req.method == "PURGE") {
    if (req.http.authorization != "Bearer change-this-key") {
      return (synth(403, "Forbidden"));
    }
    set req.http.x-purged = xkey.purge(req.http.xkey);
    return (synth(200, "Purged " + req.http.x-purged));
  }
  # The API and the sockets are not for caches; pages are the same for everybody, whatever cookies a browser has.
  if (req.url ~ "^/socket\.io/" && req.http.upgrade ~ "(?i)websocket") {
    return (pipe);
  }
  if (req.url ~ "^/(api|socket\.io|internal)/") {
    return (pass);
  }
  unset req.http.cookie;
}

sub vcl_pipe {
  if (req.http.upgrade) {
    set bereq.http.upgrade = req.http.upgrade;
    set bereq.http.connection = req.http.connection;
  }
}

sub vcl_backend_response {
  set beresp.http.xkey = beresp.http.surrogate-key;
  # While an expired page is fetched again; Varnish does not read Surrogate-Control.
  set beresp.grace = 60s;
}

sub vcl_deliver {
  unset resp.http.xkey;
  unset resp.http.surrogate-key;
  unset resp.http.surrogate-control;
  unset resp.http.cache-tag;
}
