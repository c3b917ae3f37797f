package sim

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"resellerbot/internal/api/dzd"
)

// object is a JSON object, written by hand.
type object map[string]any

// refusal is an answer that says no.
type refusal struct {
	code    int
	message string
	data    any
	wait    int // Retry-After in seconds; 0: no such header
}

// operation is one row of the service's table of endpoints.
type operation struct {
	method, path string // a segment in braces is a parameter
	do           func(s *Server, c call) (any, *refusal)
}

// call is a request that was let in.
type call struct {
	account *account
	params  map[string]string
	body    map[string]any
	now     time.Time
}

// operations are the endpoints that are served.
func operations() []operation {
	return []operation{
		{http.MethodGet, "/products", listProducts},
		{http.MethodGet, "/products/{productId}/variants", listVariants},
		{http.MethodPost, "/products/purchase/{variantId}", buy},
		{http.MethodGet, "/products/order/{orderId}", oneOrder},
		{http.MethodPost, "/products/orders/retrieve", retrieve},
		{http.MethodGet, "/stock", stock},
		{http.MethodGet, "/account", whose},
		{http.MethodGet, "/balance", wallet},
	}
}

// Routes lists the operations that are served, as "GET /balance".
func Routes() []string {
	var all []string
	for _, op := range operations() {
		all = append(all, op.method+" "+op.path)
	}
	return all
}

// serve answers one request.
func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	path, ok := strings.CutPrefix(r.URL.Path, s.base)
	if !ok {
		write(w, nil, &refusal{code: http.StatusNotFound, message: "Not found"})
		return
	}
	op, params := route(r.Method, path)
	if op == nil {
		write(w, nil, &refusal{code: http.StatusNotFound, message: "Not found"})
		return
	}
	name := op.method + " " + op.path
	text, err := io.ReadAll(io.LimitReader(r.Body, 1<<20))
	if err != nil {
		return
	}
	fault := s.arrive(name)
	if fault.before(w, r) {
		return
	}
	data, no := s.perform(op, r, params, text)
	if fault.after(w, data) {
		return
	}
	write(w, data, no)
}

// arrive counts a request and takes the fault that waits for it.
func (s *Server) arrive(name string) *Fault {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests[name]++
	return s.takeFault(name)
}

// perform lets the request in and does what it asks for, all at once.
func (s *Server) perform(op *operation, r *http.Request, params map[string]string, text []byte) (any, *refusal) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	s.refund(now)
	a, no := s.admit(r, now)
	if no != nil {
		return nil, no
	}
	c := call{account: a, params: params, now: now}
	if len(text) > 0 && json.Unmarshal(text, &c.body) != nil {
		return nil, invalid("body", "must be a JSON object")
	}
	return op.do(s, c)
}

// route finds the operation of a request.
func route(method, path string) (*operation, map[string]string) {
	parts := strings.Split(strings.Trim(path, "/"), "/")
	for _, op := range operations() {
		if params, ok := fits(strings.Split(strings.Trim(op.path, "/"), "/"), parts); ok && op.method == method {
			return &op, params
		}
	}
	return nil, nil
}

// fits matches a path with a pattern.
func fits(pattern, parts []string) (map[string]string, bool) {
	if len(pattern) != len(parts) {
		return nil, false
	}
	params := map[string]string{}
	for i, p := range pattern {
		if strings.HasPrefix(p, "{") {
			params[strings.Trim(p, "{}")] = parts[i]
		} else if p != parts[i] {
			return nil, false
		}
	}
	return params, true
}

// admit checks the key, the address and the limits (reseller-api.md, Authentication and Limits).
func (s *Server) admit(r *http.Request, now time.Time) (*account, *refusal) {
	key := r.Header.Get("X-Api-Key")
	if key == "" {
		return nil, &refusal{code: http.StatusUnauthorized, message: "API key is required"}
	}
	a := s.accounts[key]
	if a == nil || a.expired {
		return nil, &refusal{code: http.StatusUnauthorized, message: "Invalid API key"}
	}
	if a.blocked {
		return nil, &refusal{code: http.StatusForbidden, message: "IP address not allowed"}
	}
	limit := s.gets
	if r.Method == http.MethodPost {
		limit = s.posts
	}
	sent := a.sent[r.Method]
	for len(sent) > 0 && now.Sub(sent[0]) >= time.Minute {
		sent = sent[1:]
	}
	if limit >= 0 && len(sent) >= limit {
		return nil, &refusal{code: http.StatusTooManyRequests, message: "Too Many Requests"}
	}
	a.sent[r.Method] = append(sent, now)
	return a, nil
}

// invalid is a failed validation of one field.
func invalid(field, message string) *refusal {
	return &refusal{code: http.StatusBadRequest, message: "Validation failed", data: object{"errors": object{field: []string{message}}}}
}

// write answers in the envelope.
func write(w http.ResponseWriter, data any, no *refusal) {
	w.Header().Set("Content-Type", "application/json")
	if no == nil {
		json.NewEncoder(w).Encode(object{"status": "success", "message": "OK", "data": data})
		return
	}
	if no.wait > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(no.wait))
	}
	w.WriteHeader(no.code)
	json.NewEncoder(w).Encode(object{"status": "error", "message": no.message, "data": no.data})
}

func listProducts(s *Server, _ call) (any, *refusal) {
	all := []object{}
	for _, p := range s.products {
		o := object{
			"id": p.ID, "name": p.Name, "description": p.Description, "image": "", "category_id": p.CategoryID,
			"requires_input": len(p.Inputs) > 0, "input_fields": inputFields(p.Inputs), "variants": variants(p),
		}
		all = append(all, o)
	}
	return all, nil
}

// inputFields is the inputs by index; their inner form is invented.
func inputFields(inputs []InputSpec) object {
	fields := object{}
	for _, in := range inputs {
		f := object{"label": in.Label, "required": in.Required}
		if in.Hint != "" {
			f["hint"] = in.Hint
		}
		if in.Pattern != "" {
			f["pattern"] = in.Pattern
		}
		if in.Options != nil {
			f["options"] = in.Options
		}
		fields[in.Index] = f
	}
	return fields
}

func variants(p *product) []object {
	all := []object{}
	for _, v := range p.variants {
		o := object{
			"id": v.ID, "name": v.Name, "price": json.Number(v.price.String()), "currency": "DZD", "delivery": "instant",
			"in_stock": v.InStock, "available": v.InStock > 0,
		}
		if v.Allocated > 0 {
			o["client_stock"] = v.clientStock()
		}
		all = append(all, o)
	}
	return all
}

func (v *variant) clientStock() object {
	o := object{"variant_id": v.ID, "allocated": v.Allocated, "used": v.Used, "remaining": v.Allocated - v.Used, "status": "active"}
	if !v.ExpiresAt.IsZero() {
		o["expires_at"] = v.ExpiresAt.UTC().Format(time.RFC3339)
	}
	return o
}

func listVariants(s *Server, c call) (any, *refusal) {
	id, _ := strconv.ParseInt(c.params["productId"], 10, 64)
	p := s.product(id)
	if p == nil {
		return nil, &refusal{code: http.StatusNotFound, message: "Product not found"}
	}
	return variants(p), nil
}

// buy debits the wallet and consumes stock at once (reseller-api.md, Current, detail 2).
func buy(s *Server, c call) (any, *refusal) {
	id, _ := strconv.ParseInt(c.params["variantId"], 10, 64)
	v := s.find(id)
	if v == nil {
		return nil, &refusal{code: http.StatusNotFound, message: "Product not found"}
	}
	quantity, _ := c.body["quantity"].(float64)
	n := int(quantity)
	if n < 1 || float64(n) != quantity || n > mostUnits {
		return nil, invalid("quantity", "The quantity must be at least 1.")
	}
	inputs := map[string]string{}
	for _, in := range v.product.Inputs {
		text, _ := c.body[in.Index].(string)
		if in.Required && text == "" {
			return nil, invalid(in.Index, "The "+in.Label+" field is required.")
		}
		inputs[in.Index] = text
	}
	if v.InStock < n || v.Allocated > 0 && v.Allocated-v.Used < n {
		return nil, &refusal{code: http.StatusBadRequest, message: "Product out of stock"}
	}
	total, err := v.price.Mul(n)
	if err != nil || c.account.balance.Sub(c.account.held).Less(total) {
		return nil, &refusal{code: http.StatusForbidden, message: "Insufficient balance"}
	}
	return s.sell(c, v, n, total, inputs), nil
}

// sell makes a purchase happen.
func (s *Server) sell(c call, v *variant, n int, total dzd.Amount, inputs map[string]string) object {
	c.account.balance = c.account.balance.Sub(total)
	v.InStock -= n
	if v.Allocated > 0 {
		v.Used += n
	}
	p := Purchase{Key: c.account.Key, VariantID: v.ID, Quantity: n, Inputs: inputs, At: c.now, Total: total}
	for range n {
		o := &order{
			id: fmt.Sprintf("ORD-%06d", len(s.orders)+1), account: c.account, variant: v, price: v.price,
			code: s.code(), at: c.now, ready: c.now.Add(v.Delay), fails: v.Fails,
		}
		if s.held {
			o.ready = time.Time{}
		}
		s.orders = append(s.orders, o)
		p.OrderIDs = append(p.OrderIDs, o.id)
	}
	s.purchases = append(s.purchases, p)
	return object{"order_ids": p.OrderIDs, "count": n}
}

func (o *order) object(now time.Time) object {
	status, code := o.state(now)
	out := object{
		"order_id": o.id, "product_name": o.variant.product.Name, "variant_name": o.variant.Name, "status": status,
		"key": nil, "has_key": code != "", "price": json.Number(o.price.String()),
		"created_at": o.at.UTC().Format(time.RFC3339), "purchase_timestamp": strconv.FormatInt(o.at.Unix(), 10),
	}
	if code != "" {
		out["key"] = code
	}
	return out
}

// owned is an account's order by id.
func (s *Server) owned(c call, id string) *order {
	for _, o := range s.orders {
		if o.id == id && o.account == c.account {
			return o
		}
	}
	return nil
}

func oneOrder(s *Server, c call) (any, *refusal) {
	o := s.owned(c, c.params["orderId"])
	if o == nil {
		return nil, &refusal{code: http.StatusNotFound, message: "Order not found"}
	}
	return o.object(c.now), nil
}

func retrieve(s *Server, c call) (any, *refusal) {
	ids, ok := c.body["order_ids"].([]any)
	if !ok || len(ids) == 0 {
		return nil, invalid("order_ids", "The order_ids field is required.")
	}
	found := []object{}
	for _, id := range ids {
		text, _ := id.(string)
		if o := s.owned(c, text); o != nil {
			found = append(found, o.object(c.now))
		}
	}
	return found, nil
}

func stock(s *Server, _ call) (any, *refusal) {
	all := []object{}
	for _, p := range s.products {
		for _, v := range p.variants {
			if v.Allocated > 0 {
				o := v.clientStock()
				o["product_id"], o["product_name"], o["variant_name"] = p.ID, p.Name, v.Name
				all = append(all, o)
			}
		}
	}
	return all, nil
}

func whose(_ *Server, c call) (any, *refusal) {
	o := c.account.wallet()
	o["user_id"], o["name"], o["email"] = c.account.UserID, c.account.Name, c.account.Email
	return o, nil
}

func wallet(_ *Server, c call) (any, *refusal) { return c.account.wallet(), nil }

func (a *account) wallet() object {
	return object{"balance": json.Number(a.balance.String()), "available_balance": json.Number(a.balance.Sub(a.held).String())}
}
